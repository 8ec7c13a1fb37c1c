/**
 * Writes the file with the demo's cloud to a path. A separate process, because the control plane
 * keeps timers.
 */
import { writeFileSync } from 'node:fs'
import init from '@sqlite.org/sqlite-wasm'
import { DOMParser } from '@xmldom/xmldom'
import { fillCloud } from '../src/seed/fill.ts'

// Node has none.
globalThis.DOMParser ??= DOMParser as never

writeFileSync(process.argv[2]!, await fillCloud(await init()))
process.exit(0)
