import type { ControlPlane } from '@steading/control-plane'
import { startControlPlane } from './demo.ts'
import { completeCrypto } from './host/insecure-context.ts'
import { loadSqlite } from './host/load-sqlite.ts'
import { openSqlite } from './host/sqlite.ts'

export { signIn } from './demo.ts'

/** Starts a control plane in the page. */
export async function start(): Promise<ControlPlane> {
  const [sqlite] = await Promise.all([loadSqlite(), completeCrypto()])
  return startControlPlane(openSqlite(sqlite), location.origin)
}
