/**
 * Bodies that are as large as the server reads: each list, map and text of each operation is filled
 * up to the largest body, and what the contract permits is used in full.
 */
import document from '../../../packages/api/openapi.json' with { type: 'json' }
import { BODY_MAX } from '../../../packages/api/src/rules.ts'
import { type Load, PROJECT, tally } from './world.ts'

type Json = Record<string, any>

const schemas: Json = document.components.schemas

function resolve(schema: Json): Json {
  const ref: string | undefined = schema.$ref ?? schema.allOf?.[0].$ref
  return ref ? resolve(schemas[ref.split('/').at(-1)!]) : schema
}

/** A value of about the right form; the server need not accept it. */
function exampleOf(given: Json, depth = 0): unknown {
  const schema = resolve(given)
  if (depth > 12) return null
  if ('default' in schema) return schema.default
  if (schema.enum) return schema.enum[0]
  const union: Json[] | undefined = schema.oneOf ?? schema.anyOf
  if (union) return exampleOf(union[0]!, depth + 1)
  switch ([schema.type].flat()[0]) {
    case 'string':
      return textOf(schema.format)
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return Object.fromEntries(
        Object.entries<Json>(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name))
          .map(([name, part]) => [name, exampleOf(part, depth + 1)]),
      )
    default:
      return null
  }
}

const texts: Record<string, string> = {
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2030-01-01T00:00:00Z',
  ip: '10.0.0.1',
  ipv4: '10.0.0.1',
  ipv6: 'fd00::1',
}
const textOf = (format: string | undefined): string => texts[format ?? ''] ?? 'a'

/** Bytes of a filled part; the rest of a body surrounds it. */
const FILLED = BODY_MAX - 2000

/** As many copies of a JSON text as fit in a body. */
const filledWith = (text: string): string[] =>
  Array.from({ length: Math.floor(FILLED / (text.length + 1)) }, () => text)

/** Fills of a schema as JSON texts, each of another part. */
function* fillsOf(given: Json, depth = 0): Generator<string> {
  const schema = resolve(given)
  if (depth > 8 || schema.enum) return
  const union: Json[] | undefined = schema.oneOf ?? schema.anyOf
  if (union) {
    for (const branch of union) yield* fillsOf(branch, depth + 1)
    return
  }
  const type = [schema.type].flat()[0]
  if (type === 'string') yield JSON.stringify('a'.repeat(FILLED))
  if (type === 'array') {
    const items = filledWith(JSON.stringify(exampleOf(schema.items, depth + 1)))
    yield `[${items.join()}]`
    yield `[${items.slice(0, schema.maxItems).join()}]`
    for (const fill of fillsOf(schema.items, depth + 1)) yield `[${fill}]`
  }
  if (type !== 'object') return
  if (!schema.properties) {
    const value = JSON.stringify(exampleOf(schema.additionalProperties ?? {}, depth + 1))
    const entries = filledWith(`"k00000":${value}`)
    yield `{${entries.map((_, index) => `"k${String(index).padStart(5, '0')}":${value}`).join()}}`
    return
  }
  const rest = exampleOf(schema, depth) as Json
  for (const [name, part] of Object.entries<Json>(schema.properties)) {
    const { [name]: _dropped, ...others } = rest
    const before = JSON.stringify(others).slice(1, -1)
    for (const fill of fillsOf(part, depth + 1)) {
      const text = `{${before}${before ? ',' : ''}${JSON.stringify(name)}:${fill}}`
      if (text.length <= BODY_MAX) yield text
    }
  }
}

/** Each part of each body in the document, filled. */
function* largeBodies(): Generator<{ method: string; path: string; body: string }> {
  for (const [path, methods] of Object.entries<Json>(document.paths)) {
    for (const [method, { requestBody }] of Object.entries<Json>(methods)) {
      const schema = requestBody?.content['application/json']?.schema
      if (!schema) continue
      const call = {
        method: method.toUpperCase(),
        path: path.replaceAll(/\{\w+\}/g, texts.uuid!),
      }
      for (const body of fillsOf(schema)) yield { ...call, body }
    }
  }
}

/** Each list, map and text of each operation, one call after the other. */
export const hostileBodies: Load = {
  async apply({ url, attackerCookie }, signal) {
    const statuses: number[] = []
    for (const { method, path, body } of largeBodies()) {
      if (signal.aborted) break
      const headers = { cookie: attackerCookie, 'content-type': 'application/json' }
      const answer = await fetch(url + path, { method, headers, body })
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
    return tally(statuses)
  },
}

const net = (index: number) => `10.${index >> 8}.${index & 255}.0/24`

/** Accepted bodies of the largest permitted size. */
export const largestBodies: Load = {
  async apply({ admin }) {
    const query = `project=${PROJECT}`
    const answers: string[] = []
    const call = async (name: string, method: string, path: string, body: object) => {
      const answer = await admin(method, path, body).catch((error: Error) => ({
        status: error.message.replace(/^.* answered (\d+) .*$/s, '$1'),
        body: undefined,
      }))
      answers.push(`${name} ${answer.status}`)
      return answer.body
    }
    const instance = await call('instance', 'POST', `/v1/instances?${query}`, {
      name: 'large',
      description: '',
      hostname: 'large',
      ncpus: 1,
      memory: 2 ** 30,
      start: false,
    })
    const { items: nics } = (await admin('GET', `/v1/network-interfaces?instance=${instance.id}`))
      .body
    await call('transit IPs', 'PUT', `/v1/network-interfaces/${nics[0].id}`, {
      transit_ips: Array.from({ length: 1024 }, (_, index) => net(index)),
    })
    await call('tags', 'PUT', `/x/v1/tags/instance/${instance.id}`, {
      tags: Array.from({ length: 50 }, (_, index) => `key${index}:${'v'.repeat(200)}`),
    })
    await call('template', 'POST', `/x/v1/instance-templates?${query}`, {
      name: 'large',
      description: '',
      instance: {
        ncpus: 1,
        memory: 2 ** 30,
        user_data: { $text: 'x'.repeat(30_000) },
      },
      variables: [],
    })
    const host = (index: number) => ({ type: 'ip_net', value: net(index) })
    await call('firewall rules', 'PUT', `/v1/vpc-firewall-rules?${query}&vpc=default`, {
      rules: Array.from({ length: 1024 }, (_, rule) => ({
        name: `rule-${rule}`,
        description: '',
        status: 'enabled',
        direction: 'inbound',
        action: 'allow',
        priority: rule,
        targets: [{ type: 'vpc', value: 'default' }],
        filters: { hosts: Array.from({ length: 16 }, (_each, index) => host(rule * 16 + index)) },
      })),
    })
    await call('address lot', 'POST', '/v1/system/networking/address-lot', {
      name: 'large',
      description: '',
      kind: 'infra',
      blocks: Array.from({ length: 1024 }, (_, index) => ({
        first_address: net(index).replace('.0/24', '.1'),
        last_address: net(index).replace('.0/24', '.254'),
      })),
    })
    await call('announce set', 'PUT', '/v1/system/networking/bgp-announce-set', {
      name: 'large',
      description: '',
      announcement: Array.from({ length: 1024 }, (_, index) => ({
        address_lot_block: 'large',
        network: net(index),
      })),
    })
    await call('job', 'POST', '/x/v1/jobs', {
      action: 'delete',
      kind: 'instance',
      project: PROJECT,
      target: { type: 'ids', ids: Array.from({ length: 20_000 }, () => crypto.randomUUID()) },
    })
    return answers.join(', ')
  },
}
