import type { BuiltFile } from './download.ts'

/** The file with the demo's cloud. The build writes it, and replaces this module. */
export const builtCloud: BuiltFile = { url: '', bytes: 0, sha256: '' }
