import { createClient } from '@steading/api/client'
import { fetchEarly } from './early-answers.ts'

export const client = createClient({ remembers: true, fetch: fetchEarly })
