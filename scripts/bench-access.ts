/**
 * `npm run bench:access [-- sign-ins | credentials | audit-log]`: benchmarks of sign-ins,
 * credentials and the audit log. Only measures; nothing passes or fails.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditLogFigures, seedAuditLog } from './bench/audit-log.ts'
import { credentialFigures, signInFigures } from './bench/credentials.ts'
import { signIn, startHost } from './bench/host.ts'

const figures = {
  'sign-ins': signInFigures,
  credentials: credentialFigures,
  'audit-log': auditLogFigures,
}

const [wanted] = process.argv.slice(2)
const data = mkdtempSync(join(tmpdir(), 'steading-bench-'))
try {
  // The first start creates the database.
  await (await startHost(data)).stop()
  if (wanted === undefined || wanted === 'audit-log') seedAuditLog(data)
  const host = await startHost(data)
  try {
    const cookie = await signIn(host.url)
    for (const [name, print] of Object.entries(figures)) {
      if (wanted === undefined || wanted === name) await print(host.url, cookie)
    }
  } finally {
    await host.stop()
  }
} finally {
  rmSync(data, { recursive: true, force: true })
}
