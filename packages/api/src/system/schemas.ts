import { named, oneOf, record } from '../schema.ts'

const PingStatus = named('PingStatus', oneOf('ok'))
export const Ping = record('Ping', { status: PingStatus })
