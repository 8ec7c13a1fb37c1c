import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { routes } from '@steading/api/wire-request'
import { parseSync } from '@swc/core'
import { expect, test } from 'vitest'

const source = resolve(import.meta.dirname, '../src')

type Node = { type: string; [key: string]: unknown }
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const nameOf = (value: unknown): unknown => (isNode(value) ? value.value : undefined)

/** Mentions of operations without a call: declarations of stale reads, and permission checks. */
const isMention = (node: Node): boolean =>
  (node.type === 'CallExpression' && nameOf(node.callee) === 'invalidate') ||
  ((node.type === 'KeyValueProperty' || node.type === 'JSXAttribute') &&
    nameOf(node.key ?? node.name) === 'calls')

/** Strings of a module, and the properties it accesses. */
function* wordsOf(value: unknown): Generator<string> {
  if (isNode(value)) {
    if (isMention(value)) return
    if (value.type === 'StringLiteral') yield String(value.value)
    // The definition of a list names the plain list, and is read by its search as well.
    if (value.type === 'KeyValueProperty' && nameOf(value.key) === 'operation')
      yield String(nameOf(value.value)).replace(/List$/, 'Search')
    if (value.type === 'MemberExpression') yield String(nameOf(value.property))
  }
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) yield* wordsOf(child)
  }
}

const words = new Set(
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    // Code samples make no calls.
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('as-code/'))
    .flatMap((name) => {
      const text = readFileSync(join(source, name), 'utf8')
      return [...wordsOf(parseSync(text, { syntax: 'typescript', tsx: name.endsWith('x') }))]
    }),
)

/** Operations that the console does not call, with reasons. */
const reasons: Record<string, string> = Object.fromEntries(
  Object.entries({
    'intended for programs': [
      'openapiView',
      'healthView',
      'healthLiveView',
      'healthReadyView',
      'tagsReplace',
    ],
    'unnecessary: the console has the rules of the control plane': [
      'alertClassList',
      'roleList',
      'roleView',
    ],
    'less detailed than the time series queries used instead': ['diskMetricsList'],
    'less detailed than the extension used instead': [
      'auditLogList',
      'groupView',
      'siloUserView',
      'userView',
    ],
    'contained in a list or page that the console reads': [
      'affinityGroupMemberInstanceView',
      'antiAffinityGroupMemberInstanceView',
      'certificateView',
      'networkingAddressLotBlockList',
      'physicalDiskView',
      'rackView',
      'scimTokenView',
      'switchView',
      'systemQuotasList',
      'systemUpdateRepositoryView',
      'systemUpdateTrustRootView',
      'updateUploadView',
      'userBuiltinView',
      'webhookSecretsList',
    ],
    'older path of a called operation': [
      'networkingBgpImportedRoutesIpv4',
      'sledAdd',
      'supportBundleCreateExperimental',
      'supportBundleDeleteExperimental',
      'supportBundleListExperimental',
      'supportBundleUpdateExperimental',
      'supportBundleViewExperimental',
    ],
    'pool of system services, for clients that predate the assignment of pools': [
      'ipPoolServiceRangeAdd',
      'ipPoolServiceRangeList',
      'ipPoolServiceRangeRemove',
      'ipPoolServiceView',
      'systemIpPoolAssign',
    ],
    'same content as the interfaces of the instances': ['vpcSubnetListNetworkInterfaces'],
    'keys of an instance, which its owner knows by name': ['instanceSshPublicKeyList'],
  }).flatMap(([why, operations]) => operations.map((operation) => [operation, why])),
)

const uncalled = Object.keys(routes).filter((operation) => !words.has(operation))

test('every operation is called by a screen or has a reason', () => {
  const missing = uncalled.filter((operation) => !(operation in reasons))
  expect(missing).toEqual([])
})

test('operations with a reason are not called', () => {
  const wrong = Object.keys(reasons).filter(
    (operation) => words.has(operation) || !(operation in routes),
  )
  expect(wrong).toEqual([])
})
