/** What the page tells of itself in support bundles. It keeps no log: that is the console of the browser. */
import type { Diagnostics } from '@steading/control-plane/ports'

export const demoDiagnostics: Diagnostics = {
  versions: () => ({ browser: navigator.userAgent }),
  configuration: () => ({ host: 'page' }),
  status: async () => ({ open_for_ms: Math.round(performance.now()) }),
  async *log() {},
}
