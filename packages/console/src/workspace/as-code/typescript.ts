import { IMPORT_CHUNK_MAX } from '@steading/api/rules'
import { printValue, type Notation } from './print-value.ts'
import { sessionNote } from './curl.ts'
import { type Code, type Step } from './steps.ts'

const text = (value: string) =>
  `'${JSON.stringify(value)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", String.raw`\'`)}'`

const literals: Notation = {
  key: (name) => name,
  text,
  number: String,
  date: (time) => `new Date(${text(time)})`,
  marked: ({ kind, name }) =>
    kind === 'id' ? `${name}.id` : `await readFile(${text(name)}, 'base64')`,
  trailingComma: ',',
}

const print = (value: unknown, indent = '') => printValue(value, literals, indent, true)

const clientOf = (origin: string) => `const api = createClient({
  baseUrl: ${text(origin)},
  session: process.env.STEADING_SESSION,
})`

const unwrap = `async function ok<T>(answer: Promise<ApiResult<T>>): Promise<T> {
  const result = await answer
  if (result.type !== 'success') throw new Error(JSON.stringify(result))
  return result.data
}`

const notes = [sessionNote]

/** A module for our own client with the same calls as the console's. */
export function typescript(steps: readonly Step[], origin: string): Code {
  const body = steps.map((step) =>
    [...(step.note ? [`// ${step.note}`] : []), statementOf(step, steps.length === 1)].join('\n'),
  )
  const used = body.join('\n')
  const files = ['open', 'readFile'].filter((name) => used.includes(`await ${name}(`))
  const imports = [
    `import { createClient${used.includes('ok(') ? ', type ApiResult' : ''} } from '@steading/api/client'`,
    ...(files.length ? [`import { ${files.join(', ')} } from 'node:fs/promises'`] : []),
  ]
  const parts = [imports.join('\n'), clientOf(origin)]
  if (used.includes('ok(')) parts.push(unwrap)
  return { text: [...parts, ...body].join('\n\n'), notes }
}

function statementOf(step: Step, alone: boolean): string {
  if (step.operation === 'writeFile') {
    const { disk, project, file } = step
    return `const file = await open(${text(file)})
const { size } = await file.stat()
const chunk = Buffer.alloc(${IMPORT_CHUNK_MAX})
for (let offset = 0; offset < size; offset += chunk.length) {
  const { bytesRead } = await file.read(chunk, 0, chunk.length, offset)
  const base64EncodedData = chunk.toString('base64', 0, bytesRead)
  await ok(
    api.diskBulkWriteImport({
      path: { disk: ${text(disk)} },
      query: { project: ${text(project)} },
      body: { offset, base64EncodedData },
    }),
  )
}
await file.close()`
  }
  if (step.operation === 'awaitFinalized') {
    const { disk, project } = step
    return `for (;;) {
  const { state } = await ok(
    api.diskView({ path: { disk: ${text(disk)} }, query: { project: ${text(project)} } }),
  )
  if (state.state !== 'finalizing') break
  await new Promise((resolve) => setTimeout(resolve, 1000))
}`
  }
  const { operation, args, idAs, reason } = step
  const options = reason ? `, { reason: ${text(reason)} }` : ''
  if (alone) {
    return `const answer = await api.${operation}(${print(args)}${options})
if (answer.type !== 'success') throw new Error(JSON.stringify(answer))`
  }
  return `${idAs ? `const ${idAs} = ` : ''}await ok(
  api.${operation}(${print(args, '  ')}${options}),
)`
}
