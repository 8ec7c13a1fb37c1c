/** `npm run check`: types, lint with import boundaries, format, and drift of generated files. */
import { runChecks } from './checks.ts'

const { passed, failed } = await runChecks()
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
