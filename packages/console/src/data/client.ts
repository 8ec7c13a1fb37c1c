import { createClient } from '@steading/api/client'

export const client = createClient({ remembers: true })
