import { Client } from 'pg'

/** How the driver reads a URL, which it says without connecting. */
export function readByDriver(url: string): {
  host: string
  port: number
  ssl: boolean | { rejectUnauthorized?: boolean }
} {
  try {
    return new Client({ connectionString: url }) as unknown as ReturnType<typeof readByDriver>
  } catch {
    // A file of a certificate cannot be read; it does not connect, and that is a finding already.
    return { host: '', port: 0, ssl: true }
  }
}
