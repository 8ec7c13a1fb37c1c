/** Writes openapi.json and the generated interfaces. `--check` only compares (used by CI). */
import { readFileSync, writeFileSync } from 'node:fs'
import { unboundedInputs } from '../src/bounds.ts'
import { apiDocument } from '../src/document.ts'
import { operationTable } from '../src/operations.ts'
import { changedTable, permissionTable, routeTables, typeFiles } from './emit-types.ts'

/** Types cover unpublished operations as well. */
const document = apiDocument(operationTable, { unpublished: true })
const unbounded = unboundedInputs(document)
if (unbounded.length > 0) {
  console.error(`Without a maximum, see \`schema.ts\`:\n${unbounded.join('\n')}`)
  process.exit(1)
}
const types = typeFiles(document, operationTable)
const routes = routeTables(operationTable)
const outputs = {
  '../openapi.json': `${JSON.stringify(apiDocument(), null, 2)}\n`,
  '../src/generated/common.ts': types.common,
  '../src/generated/wire.ts': types.wire,
  '../src/generated/client.ts': types.client,
  '../src/generated/reads.ts': routes.reads,
  '../src/generated/changes.ts': routes.changes,
  '../src/generated/changed.ts': changedTable(operationTable),
  '../src/generated/permissions.ts': permissionTable(operationTable),
}

const stale = Object.entries(outputs).filter(([path, content]) => {
  const url = new URL(path, import.meta.url)
  let before = ''
  try {
    before = readFileSync(url, 'utf8')
  } catch {
    // Not generated yet.
  }
  if (before === content) return false
  if (!process.argv.includes('--check')) writeFileSync(url, content)
  return true
})

if (process.argv.includes('--check') && stale.length > 0) {
  console.error(`Stale: ${stale.map(([path]) => path).join(', ')}. Run \`npm run generate\`.`)
  process.exit(1)
}
console.log(stale.length > 0 ? `generated ${stale.length} files` : 'generated files are up to date')
