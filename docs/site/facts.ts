/** Facts of the contract for pages; no page repeats them. */
import { POINTS_MAX, QUERY_LENGTH_MAX } from '../../packages/oxql/src/limits.ts'
import { DISK_NEARLY_FULL, DISK_PLENTY_FREE } from '../../packages/api/src/hardware/hosts/issues.ts'
import * as rules from '../../packages/api/src/rules.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type CommandName, commands } from '../../packages/node/src/commands.ts'
import { options } from '../../packages/node/src/config.ts'
import { usageOf } from '../../packages/node/src/help.ts'
import { MINIMUM_NODE } from '../../packages/node/src/node-version.mjs'

const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')

const gib = (bytes: number): string => `${bytes / rules.GiB} GiB`
const days = (ms: number): number => ms / rules.DAY_MS
const minutes = (ms: number): number => ms / 60_000

const yes = (value: boolean): string => (value ? 'yes' : '–')

const actions = {
  start: 'start',
  stop: 'stop',
  reboot: 'reboot',
  resize: 'resize',
  delete: 'delete',
} as const

const instanceStates = table(
  ['state', 'transitional', 'counts against CPU and memory quotas', 'available actions'],
  rules.instanceStates.map((state) => [
    state,
    yes(rules.instanceIsTransitioning(state)),
    yes(rules.instanceHasVm(state)),
    (Object.keys(actions) as (keyof typeof actions)[])
      .filter((action) => rules.instanceCan(action, state))
      .join(', ') || '–',
  ]),
)

const diskStates = table(
  ['state', 'transitional', 'available actions'],
  rules.diskStates.map((state) => [
    state.replaceAll('_', ' '),
    yes(rules.diskIsTransitioning(state)),
    (['attach', 'detach', 'snapshot', 'delete'] as const)
      .filter((action) => rules.diskCan(action, state))
      .join(', ') || '–',
  ]),
)

const snapshotConsistencies = table(
  ['consistency', 'meaning'],
  rules.snapshotConsistencies.map((consistency) => [
    rules.snapshotConsistencyText(consistency),
    rules.snapshotConsistencyMeaning(consistency),
  ]),
)

/** Problems of hosts, with example facts. */
const hostProblems = (() => {
  const { hostProblems: problems, HOST_LIBVIRT_MIN, HOST_QEMU_MIN, CLOCK_APART_MAX } = rules
  const directory = '/srv/volumes'
  const architecture = { found: 'aarch64', needed: 'x86_64' }
  const findings = [
    problems.unreachable({ reason: 'no route to host' }),
    problems.same_host({ address: 'qemu+ssh://root@other/system' }),
    problems.other_host({ found: 'A', expected: 'B' }),
    problems.old_software({ name: 'libvirt', found: '8.0.0', needed: HOST_LIBVIRT_MIN }),
    problems.old_software({ name: 'QEMU', found: '6.2.0', needed: HOST_QEMU_MIN }),
    problems.other_architecture(architecture),
    problems.no_guests({ reason: 'no emulator' }),
    problems.emulated({}),
    problems.clock_apart({ seconds: 2 * CLOCK_APART_MAX }),
    problems.no_storage({ directory, reason: 'no such directory' }),
    problems.other_storage({ directory }),
    problems.silent_networks({ reason: 'connection refused' }),
    problems.no_chassis({ name: 'host' }),
    problems.local_tunnels({ name: 'host', address: '127.0.0.1' }),
    problems.plain_moves({}),
    problems.no_certificate({ reason: 'there is no server-cert.pem' }),
    problems.no_watchdog({}),
    problems.unknown_watchdog({ reason: 'sanlock does not run' }),
  ]
  return table(
    ['check', 'what it may find', 'what to do'],
    findings.map(({ check, detail, remedy }) => [rules.hostCheckNames[check], detail, remedy!]),
  )
})()

const imageUsers = table(
  ['image', 'user'],
  [...new Map(rules.defaultImageCatalog.map(({ os, user }) => [os, `\`${user}\``]))],
)

const userDataExamples = rules.userDataExamples
  .map(({ title, text }) => {
    const example = text({
      key: 'ssh-ed25519 AAAA… ada@laptop',
      device: rules.secondDiskDevices.libvirt,
    })
    return `**${title}**\n\n\`\`\`\n${example}\`\`\``
  })
  .join('\n\n')

const reasons = table(
  ['action', 'reason when unavailable'],
  Object.entries({ ...rules.instanceActions, ...rules.diskActions }).map(
    ([action, { otherwise }]) => [
      action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
      otherwise,
    ],
  ),
)

const siloToProject = table(
  ['role on the silo', 'role on each of its projects'],
  rules.siloRoles.map((role) => [
    role.replaceAll('_', ' '),
    rules.siloToProject[role].replaceAll('_', ' '),
  ]),
)

const errorRows = (
  [
    rules.errors.unauthorized(),
    rules.errors.forbidden(),
    rules.errors.notFoundOther('…'),
    rules.errors.conflict('…'),
    rules.errors.preconditionFailed('…'),
    rules.errors.tooManyRequests('…'),
    rules.errors.internal(),
    rules.errors.unavailable(),
    rules.errors.insufficientCapacity('…'),
  ] as rules.ErrorTemplate[]
).map(({ status, error_code: code = '' }) => [status, code] as const)

export const facts = {
  rules,
  oxql: { QUERY_LENGTH_MAX, POINTS_MAX },
  gib,
  days,
  minutes,
  seconds: (ms: number): number => ms / 1_000,
  instanceStates,
  diskStates,
  snapshotConsistencies,
  hostProblems,
  leaseSeconds: rules.leaseSeconds(rules.LEASE_IO_TIMEOUT),
  imageUsers,
  userDataExamples,
  diskPlentyFree: gib(DISK_PLENTY_FREE),
  diskNearlyFull: `${DISK_NEARLY_FULL * 100}%`,
  secondDisks: Object.entries(rules.secondDiskDevices)
    .map(([engine, device]) => `${device} with the engine ${engine}`)
    .join(', '),
  reasons,
  siloToProject,
  errorCodes: Object.fromEntries(errorRows),
  version: manifest.version,
  minimumNode: MINIMUM_NODE.join('.'),
  commands: table(
    ['command', ''],
    (Object.keys(commands) as CommandName[]).map((name) => [
      `\`steading ${usageOf(name)}\``,
      commands[name].summary,
    ]),
  ),
  options: table(
    ['option', 'variable', 'default', 'meaning'],
    options.map(({ flag, value, env, default: fallback, help }) => [
      flag ? `\`${[flag, value].filter(Boolean).join(' ')}\`` : '',
      `\`${env}\``,
      fallback,
      help,
    ]),
  ),
}
