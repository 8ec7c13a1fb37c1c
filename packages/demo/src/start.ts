import type { ControlPlane } from '@steading/control-plane'
import { startDemo } from './demo.ts'
import { openCloud } from './file/open.ts'
import { loadSqlite } from './host/load-sqlite.ts'

export { signIn } from './demo.ts'

/**
 * Starts a control plane in the page.
 * @param file with its cloud
 * @param painted resolves when the page is on the screen, which opening the file would delay
 */
export async function start(
  file: Promise<Uint8Array>,
  painted: Promise<void>,
): Promise<ControlPlane> {
  const [sqlite, bytes] = await Promise.all([loadSqlite(), file, painted])
  const place = { now: new Date(), origin: location.origin }
  return startDemo(openCloud(sqlite, bytes, place))
}
