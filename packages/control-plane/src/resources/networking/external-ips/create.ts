import type { Wire } from '@steading/api'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { ifNamed, type LookupContext, lookup } from '../../../kernel/lookup.ts'
import type { Writing } from '../../../kernel/work.ts'
import { allocateEphemeral, allocateSnat } from './allocate.ts'
import { claimFloating } from './floating.ts'
import { type PoolRow, selectPool } from './pools.ts'
import { requireSameProject, requireStack } from './rules.ts'

/** @throws ApiError 404, and 400 for an address of another project */
async function lookupFloating(
  context: LookupContext<'floating_ip'>,
  instance: Row<'instance'>,
  selector: string,
): Promise<Row<'external_ip'>> {
  const inProject = ifNamed(selector, { project: instance.project_id })
  const row = await lookup(context, 'floating_ip', selector, inProject)
  requireSameProject(row, instance)
  return row
}

function checkEphemeralPair(
  wanted: Extract<Wire.ExternalIpCreate, { type: 'ephemeral' }>[],
  pools: PoolRow[],
): void {
  if (wanted.length < 2) return
  const [a, b] = wanted.map(({ pool_selector }) => pool_selector)
  const versions = pools.map((pool) => pool.ip_version)
  if (pools[0]!.id === pools[1]!.id) {
    throw fail.invalidRequest('cannot request two ephemeral IPs from the same pool')
  }
  if (versions[0] === versions[1]) {
    const explicit = [a!, b!].filter(({ type }) => type === 'explicit').length
    const suffix =
      explicit === 2
        ? `: both pools are ${versions[0]}`
        : explicit === 1
          ? `: explicit pool and auto selection both specify ${versions[0]}`
          : ''
    throw fail.invalidRequest(
      `cannot request two ephemeral IPs of the same version (${versions[0]})${suffix}`,
    )
  }
}

/**
 * Creates the external addresses of a new instance: the requested ones, and the outbound
 * translation of every instance with IPv4.
 */
export async function createExternalIps(
  ctx: Writing & LookupContext<'floating_ip'>,
  project: Row<'project'>,
  instance: Row<'instance'>,
  wanted: Wire.ExternalIpCreate[],
  interfaces: Row<'network_interface'>[],
): Promise<void> {
  if (interfaces.some(({ ipv4 }) => ipv4 !== null)) {
    await allocateSnat(ctx, project.silo_id, instance)
  }
  const primary = interfaces.find(({ is_primary }) => is_primary === 1)
  const ephemeral = wanted.filter((one) => one.type === 'ephemeral')
  if (
    ephemeral.length > 1 &&
    ephemeral.some(({ pool_selector: s }) => s.type === 'auto' && s.ip_version === null)
  ) {
    throw fail.invalidRequest(
      'when requesting two ephemeral IPs, IP version or explicit pool name must be specified on each',
    )
  }
  const pools: PoolRow[] = []
  for (const { pool_selector } of ephemeral) {
    pools.push(await selectPool(ctx.db, project.silo_id, pool_selector))
  }
  checkEphemeralPair(ephemeral, pools)
  for (const pool of pools) {
    requireStack('ephemeral', pool.ip_version, instance, primary)
    await allocateEphemeral(ctx, instance, pool)
  }
  for (const one of wanted) {
    if (one.type !== 'floating') continue
    const row = await lookupFloating(ctx, instance, one.floating_ip)
    await claimFloating(ctx, row, instance, primary)
  }
}
