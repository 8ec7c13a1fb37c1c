/** Pages of the API reference, generated from `openapi.json`. */
import { curlOf, exampleOfCall } from './examples.ts'
import { code, escape, lines, table } from './html.ts'
import { apiCalls, apiSchemas, type Call, nameOf, type Schema } from './openapi.ts'

export interface ApiPage {
  file: string
  title: string
  html: string
}

const typesFile = (name: string): string => `api-types-${name[0]!.toLowerCase()}`
const isNull = ({ type }: Schema): boolean => type === 'null'

/** Type of a value, with links to named types. */
function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = nameOf(schema.$ref)
    return `<a href="${typesFile(name)}.html#${name}">${name}</a>`
  }
  if (schema.allOf) return schema.allOf.map(typeOf).join(' and ')
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) {
    const known = variants.filter((each) => !isNull(each)).map(typeOf)
    return [...new Set(known)].join(' or ') + (variants.some(isNull) ? ' or null' : '')
  }
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(' or ')
  if (schema.items) return `list of ${typeOf(schema.items)}`
  if (schema.properties) {
    const parts = Object.entries(schema.properties)
    return `object with ${parts.map(([name, each]) => `${code(name)}: ${typeOf(each)}`).join(', ')}`
  }
  if (typeof schema.additionalProperties === 'object') {
    return `map to ${typeOf(schema.additionalProperties)}`
  }
  const limits = [
    schema.minimum !== undefined && `at least ${schema.minimum}`,
    schema.maximum !== undefined && `at most ${schema.maximum}`,
    schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
  ].filter(Boolean)
  const words = [
    schema.type ?? 'any value',
    schema.format && `(${schema.format})`,
    limits.join(', '),
  ]
  return escape(words.filter(Boolean).join(' '))
}

const need = (required: boolean | undefined): string => (required ? 'yes' : '')

function properties({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, each]) => [
    code(name),
    typeOf(each),
    need(required.includes(name)),
  ])
  return rows.length > 0 ? table(['property', 'type', 'required'], rows) : ''
}

function describeType(name: string): string {
  const schema = apiSchemas[name]!
  const variants = schema.oneOf ?? schema.anyOf
  const body = schema.properties
    ? properties(schema)
    : variants?.some((each) => each.properties)
      ? variants
          .map((each) => (each.properties ? properties(each) : `<p>${typeOf(each)}</p>`))
          .join('<p>or</p>')
      : `<p>${typeOf(schema)}</p>`
  return `<h2 id="${name}">${name}</h2>${body}`
}

const bodyOf = (content: Record<string, { schema: Schema }> | undefined): string =>
  Object.entries(content ?? {})
    .map(([type, { schema }]) =>
      type === 'application/json' ? typeOf(schema) : `${typeOf(schema)} (${code(type)})`,
    )
    .join(' or ')

function describeCall(method: string, path: string, call: Call): string {
  const parameters = (call.parameters ?? []).map(({ name, in: place, required, schema }) => [
    code(name),
    place,
    typeOf(schema),
    need(required),
  ])
  const success = Object.entries(call.responses).find(([status]) => !/^[45]/.test(status))
  const answer = success ? bodyOf(success[1].content) : ''
  const status = success && success[0] !== 'default' ? `${success[0]} ` : ''
  const example = exampleOfCall(method, path, call)
  return `<h2 id="${call.operationId}">${escape(call.summary)}</h2>
<p class="call"><span class="method">${method.toUpperCase()}</span> ${code(path)}</p>
<p>Operation ${code(call.operationId)}</p>
${parameters.length > 0 ? table(['parameter', 'in', 'type', 'required'], parameters) : ''}
${call.requestBody ? `<p>Body: ${bodyOf(call.requestBody.content)}</p>` : ''}
<p>Answer: ${status}${answer || 'without a body'}</p>
${example ? lines(curlOf(example)) : ''}`
}

const fileOf = (tag: string): string => `api-${tag.replaceAll('/', '-')}`
/** `system/ip-pools` → `System: IP pools` */
const titleOf = (tag: string): string => {
  const [first, ...rest] = tag.split('/').map((part) => part.replaceAll('-', ' '))
  const capital = first![0]!.toUpperCase() + first!.slice(1)
  const title = rest.length > 0 ? `${capital}: ${rest.join(' ')}` : capital
  return title.replace(/\bip(s?)\b/i, 'IP$1').replace(/\bvpcs\b/i, 'VPCs')
}

/** One page per tag, for extensions per subject, and for types per initial letter. */
export function apiPages(): ApiPage[] {
  const byTag = new Map<string, string[]>()
  for (const { method, path, call } of apiCalls()) {
    const [tag = 'other'] = call.tags
    byTag.set(tag, [...(byTag.get(tag) ?? []), describeCall(method, path, call)])
  }
  const tags = [...byTag.keys()].toSorted()
  const operations = tags.map((tag) => ({
    file: fileOf(tag),
    title: `API: ${titleOf(tag)}`,
    html: byTag.get(tag)!.join('\n'),
  }))
  const letters = [
    ...new Set(Object.keys(apiSchemas).map((name) => name[0]!.toUpperCase())),
  ].toSorted()
  const types = letters.map((letter) => ({
    file: typesFile(letter),
    title: `API: types with ${letter}`,
    html: Object.keys(apiSchemas)
      .filter((name) => name[0]!.toUpperCase() === letter)
      .toSorted()
      .map(describeType)
      .join('\n'),
  }))
  const list = (pages: ApiPage[]) =>
    `<ul>${pages.map(({ file, title }) => `<li><a href="${file}.html">${title.replace('API: ', '')}</a></li>`).join('')}</ul>`
  const start = {
    file: 'api',
    title: 'API reference',
    html: `<p>API clients can do everything that the console does. Send JSON with snake_case names, and a session’s cookie or <code>Authorization: Bearer</code> with an <a href="access.html#access-tokens">access token</a>. Lists are paged: pass the <code>next_page</code> of an answer as <code>page_token</code>. Errors have a <code>message</code>, usually an <code>error_code</code>, and a <code>request_id</code>, which can be found in the log of the server. Extensions of this product are under <code>/x/v1</code>.</p><p>The examples read the address and the token from the variables of the command line tool: <code>export OXIDE_HOST=https://cloud.example OXIDE_TOKEN=oxide-token-…</code>. They have only the parts that a call requires; names such as <code>my-project</code> stand for yours. <a href="automate.html">Automate it</a> begins with the token.</p><p>OpenAPI document for tools: <a href="../x/v1/openapi.json">openapi.json</a>.</p><h2 id="operations">Operations</h2>${list(operations)}<h2 id="types">Types</h2>${list(types)}`,
  }
  return [start, ...operations, ...types]
}
