import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { permissions } from '@steading/api/permissions'
import { parseSync } from '@swc/core'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../src')

type Node = { type: string; [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function* nodesOf(value: unknown): Generator<Node> {
  if (isNode(value)) yield value
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* nodesOf(child)
  }
}

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => {
    const text = readFileSync(join(source, name), 'utf8')
    return {
      name,
      text,
      module: parseSync(text, { syntax: 'typescript', tsx: name.endsWith('x') }),
    }
  })

type Key = { value?: string }

/** Properties of an object or a JSX element, by name; `...` represents spread values. */
function saidBy(node: Node): Map<string, unknown> {
  const said = new Map<string, unknown>()
  for (const each of (node.properties ?? node.attributes) as Node[]) {
    if (each.type === 'SpreadElement') said.set('...', each)
    else if (each.type === 'Identifier') said.set(each.value as string, each)
    else said.set(((each.key ?? each.name) as Key | undefined)?.value ?? '...', each.value ?? true)
  }
  return said
}

const textOf = (value: unknown): string | undefined => {
  const literal = [...nodesOf(value)].find(({ type }) =>
    /^(StringLiteral|JSXText|TemplateElement)$/.test(type),
  )
  return literal && String(literal.value ?? literal.raw).trim()
}

/** Actions of menus and pages, and buttons, that lead to the server without naming an operation. */
const silent = files.flatMap(({ name, module }) =>
  [...nodesOf(module)].flatMap((node) => {
    if (name.startsWith('ui/')) return []
    const folder = dirname(name)
      .split('/')
      .slice(name.split('/').length > 2 ? 1 : 0)
      .join('/')
    if (node.type === 'ObjectExpression') {
      const said = saidBy(node)
      const isAction = said.has('label') && said.has('onAction')
      if (!isAction || ['...', 'calls', 'local'].some((key) => said.has(key))) return []
      return [`${folder}: ${textOf(said.get('label')) ?? 'label from elsewhere'}`]
    }
    if (node.type === 'JSXElement') {
      const { opening, children } = node as unknown as { opening: Node; children: Node[] }
      if ((opening.name as Key).value !== 'Button') return []
      const said = saidBy(opening)
      if (!said.has('sends') || said.has('calls') || said.has('...')) return []
      return [`${folder}: ${textOf(children) ?? 'label from elsewhere'}`]
    }
    return []
  }),
)

/** Actions that need no role, or whose permission is unknown beforehand, with reasons. */
const reasons: Record<string, string> = {
  'access-tokens: Delete': 'one’s own',
  'jobs: Cancel the rest': 'one’s own job',
  'jobs: Remove from the list': 'one’s own job',
  'jobs: Retry': 'one’s own job',
  'jobs: Undo': 'one’s own job, of which every step is checked',
  'deleted-resources: Undo': 'shown to the user who has just deleted the resource',
  'notifications: Mark all as read': 'one’s own',
  'notifications: Mark as read': 'one’s own',
  'notes: Restore': 'shown only if the control plane says that the note may be changed',
  'notes: Save': 'shown only if the control plane says that the note may be changed',
  'tags: Add tag': 'shown only if the control plane says that the tags may be changed',
  'sessions: End all other sessions': 'one’s own',
  'sessions: End session': 'one’s own',
  'sessions: Sign out': 'one’s own',
  'shell: Sign out': 'one’s own',
  'briefings: Dismiss': 'one’s own',
  'briefings: Undo': 'one’s own',
  'stars: Star': 'one’s own',
  'stars: Unstar': 'one’s own',
  'audit-log: CSV': 'reads the data of the page',
  'audit-log: JSON lines': 'reads the data of the page',
  'audit-log: Only this operation': 'reads the data of the page',
  'audit-log: Only this target': 'reads the data of the page',
  'audit-log: Only this user': 'reads the data of the page',
  'support-bundles: Download': 'reads the data of the page',
  'access: Invite “': 'leads to a form that names the operation',
  'bgp: New address lot': 'leads to a form that names the operation',
  'dashboards: Duplicate': 'leads to a form that names the operation',
  'bgp: New announce set': 'leads to a form that names the operation',
  'external-addresses: Create instance': 'leads to a form that names the operation',
  'instances/create: Create new disk': 'leads to a form that names the operation',
  'instances/view: Create disk': 'leads to a form that names the operation',
  'loopback-addresses: New address lot': 'leads to a form that names the operation',
  'network-interfaces: Create a VPC': 'leads to a form that names the operation',
  'snapshots: Create disk': 'leads to a form that names the operation',
  'switch-port-settings: New BGP configuration': 'leads to a form that names the operation',
  'switch-port-settings: New address lot': 'leads to a form that names the operation',
  'switch-ports: New port settings': 'leads to a form that names the operation',
  'views: Save as new view…': 'its form names the operation for a shared view',
}

test('every action names its operation or has a reason', () => {
  expect([...new Set(silent)].sort()).toEqual(Object.keys(reasons).sort())
})

/** Operations that no action leads to directly, with reasons. */
const byDeletion =
  'named by its kind, for one thing and for many (`workspace/jobs/ask-deletion.ts`)'
const unnamed: Record<string, string> = {
  instanceDelete: byDeletion,
  snapshotDelete: byDeletion,
  systemIpPoolDelete: byDeletion,
  systemSubnetPoolDelete: byDeletion,
  vpcDelete: byDeletion,
  vpcSubnetDelete: byDeletion,
  dashboardCreate: 'its form names the operation for a shared dashboard',
  viewCreate: 'its form names the operation for a shared view',
  storagePoolDiskCreate: 'the form of a new disk is offered by diskCreate, with the same rights',
  storagePoolInstanceCreate:
    'the form of a new instance is offered by instanceCreate, with the same rights',
}

/** Operations named by the declaration of a kind, such as `kind.update` of pools. */
const ofKinds = (text: string, use: RegExp): string[] =>
  [...text.matchAll(use)].flatMap(([, property]) =>
    files.flatMap((file) =>
      [...file.text.matchAll(new RegExp(`\\b${property}: '(\\w+)'`, 'g'))].map(
        ([, operation]) => operation!,
      ),
    ),
  )

test('every operation that needs a role is named by an action', () => {
  const every = files.map(({ text }) => text).join('\n')
  const sent = [
    ...[...every.matchAll(/useApi(?:Form|Action|Mutation)\(\s*'(\w+)'/g)].map(
      ([, operation]) => operation!,
    ),
    ...ofKinds(every, /useApi(?:Form|Action|Mutation)\(\s*kind\.(\w+)/g),
  ]
  const saying = [...every.matchAll(/(?:calls(?:=|: | = )|operation: )[^\n]*/g)].join('\n')
  const named = new Set([
    ...[...saying.matchAll(/['"](\w+)['"]/g)].map(([, operation]) => operation!),
    ...ofKinds(saying, /\bkind\.(\w+)/g),
  ])
  const missing = new Set(
    sent.filter((operation) => operation in permissions && !named.has(operation)),
  )
  expect([...missing].sort()).toEqual(Object.keys(unnamed).sort())
})
