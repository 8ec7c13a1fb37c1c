export interface DeviceAuthRequestTable {
  user_code: string
  /** SHA-256 of the code by which the device fetches its token, hex. */
  device_code_hash: string
  /** SHA-256 of the token that the device gets once the request is confirmed, hex. */
  token_hash: string
  client_id: string
  /** The requested lifetime of the token; null for the longest one. */
  ttl_seconds: number | null
  time_created: string
}

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    device_auth_request: DeviceAuthRequestTable
  }
}
