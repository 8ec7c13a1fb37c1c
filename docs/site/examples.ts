/** Examples of calls, made of the schemas of the contract: every required part, and nothing else. */
import { apiSchemas, type Call, nameOf, type Parameter, type Schema } from './openapi.ts'

const ID = '1a2b3c4d-0000-4000-8000-000000000000'

/** Values by format, or by pattern. */
const formats: Record<string, string> = {
  uuid: ID,
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  email: 'ada@example.com',
  ip: '192.0.2.1',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://cloud.example/',
  '^[0-9a-fA-F]{64}$': 'a'.repeat(64),
}

/** Values of types, and of properties, whose schema is a pattern or any text. */
const texts: Record<string, string> = {
  Hostname: 'web-1',
  Ipv4Net: '192.0.2.0/24',
  Ipv6Net: 'fd00:1234:5678::/48',
  Currency: 'EUR',
  AlertSubscription: 'hardware.**',
  Tag: 'env:prod',
  TagFilter: 'env:prod',
  UserId: 'ada',
  MulticastGroupIdentifier: 'my-multicast-group',
  system_version: '1.1.0',
  version: '1',
  description: '',
  expression: '0 2 * * *',
  time_zone: 'Europe/Berlin',
  base64_encoded_data: 'AAAA',
  public_key: 'ssh-ed25519 AAAA… ada@laptop',
  query: 'get virtual_disk:reads',
  end_time: '2026-01-31T13:00:00Z',
}

const kebab = (name: string): string => name.replaceAll('_', '-')

/**
 * A value that a schema permits.
 * @param name of the property or parameter, in snake_case
 */
function exampleOf(schema: Schema, name: string): unknown {
  const type = schema.$ref ? nameOf(schema.$ref) : ''
  if (type === 'Name' || type === 'NameOrId') {
    return `my-${name === 'name' || name === '' ? 'name' : kebab(name)}`
  }
  if (type in texts) return texts[type]
  const known = type ? apiSchemas[type]! : schema
  if (known.enum) return known.enum[0]
  if (known.type === 'integer' || known.type === 'number') {
    return type === 'ByteCount' ? 2 ** 30 : Math.max(known.minimum ?? 1, 1)
  }
  const variants = known.oneOf ?? known.anyOf ?? known.allOf
  if (variants) {
    const variant = variants.find((each) => each.type !== 'null') ?? variants[0]!
    return exampleOf(variant, name)
  }
  if (known.type === 'object' || known.properties) {
    const required = (known.required ?? []).map((each) => [
      each,
      exampleOf(known.properties![each]!, each),
    ])
    return Object.fromEntries(required)
  }
  if (known.type === 'array') return [exampleOf(known.items!, name)]
  if (known.type === 'boolean') return true
  return texts[name] ?? formats[known.format ?? known.pattern ?? ''] ?? 'example'
}

/** Parameters that calls ask for, although the document says of none that it is required. */
const asked = new Set('project vpc router gateway instance silo start_time end_time'.split(' '))

const isShown = ({ in: place, name, required }: Parameter): boolean =>
  place === 'path' || (place === 'query' && (required === true || asked.has(name)))

export interface Example {
  method: string
  /** With its query. */
  path: string
  body?: unknown
}

/** An example of a call; undefined if its body is not JSON. */
export function exampleOfCall(method: string, template: string, call: Call): Example | undefined {
  const content = call.requestBody?.content
  const body = content?.['application/json']
  if (content && !body) return undefined
  let path = template
  const query: string[] = []
  for (const parameter of call.parameters ?? []) {
    if (!isShown(parameter)) continue
    const { name } = parameter
    const value = encodeURIComponent(String(exampleOf(parameter.schema, name)))
    if (parameter.in === 'path') path = path.replace(`{${name}}`, value)
    else query.push(`${name}=${value}`)
  }
  return {
    method: method.toUpperCase(),
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    ...(body ? { body: exampleOf(body.schema, '') } : {}),
  }
}

/** The example as a command, for an address and a token in the variables of the CLI. */
export function curlOf({ method, path, body }: Example): string {
  const words = [
    `curl --fail-with-body${method === 'GET' ? '' : ` --request ${method}`}`,
    `"$OXIDE_HOST${path}"`,
    '--header "Authorization: Bearer $OXIDE_TOKEN"',
  ]
  if (body !== undefined) {
    words.push("--header 'content-type: application/json'")
    words.push(`--data '${JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)}'`)
  }
  return words.join(' \\\n  ')
}
