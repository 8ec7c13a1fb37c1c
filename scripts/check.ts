/** `npm run check`: types, lint with import boundaries, format, drift of generated files, and weight of pages. */
import { runChecks } from './checks.ts'

const { passed, failed } = await runChecks()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
