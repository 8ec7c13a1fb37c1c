/** Diagnostics of the page in support bundles. It has no log except the browser's console. */
import type { Diagnostics } from '@steading/control-plane/ports'

export const demoDiagnostics: Diagnostics = {
  versions: () => ({ browser: navigator.userAgent }),
  configuration: () => ({ host: 'page' }),
  status: async () => ({ open_for_ms: Math.round(performance.now()) }),
  async *log() {},
}
