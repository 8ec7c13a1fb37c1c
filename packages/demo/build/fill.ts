/**
 * Writes the file with the demo's cloud to a path. A separate process, because the control plane
 * keeps timers.
 */
import { writeFileSync } from 'node:fs'
import init from '@sqlite.org/sqlite-wasm'
import { fillCloud } from '../src/seed/fill.ts'

writeFileSync(process.argv[2]!, await fillCloud(await init()))
process.exit(0)
