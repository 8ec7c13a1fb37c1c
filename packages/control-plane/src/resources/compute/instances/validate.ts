import type { Wire } from '@steading/api'
import {
  GiB,
  INSTANCE_MAX_CPUS,
  INSTANCE_MAX_DISKS,
  INSTANCE_MAX_EPHEMERAL_IPS,
  INSTANCE_MAX_EXTERNAL_IPS,
  INSTANCE_MAX_MEMORY,
  INSTANCE_MAX_NICS,
  INSTANCE_MAX_SSH_KEYS,
  INSTANCE_MIN_MEMORY,
  exactBytes,
} from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'

/** @throws ApiError 400 for a size that an instance cannot have (control plane 6.2) */
export function validateSize({ ncpus, memory }: { ncpus: number; memory: number }): void {
  if (ncpus > INSTANCE_MAX_CPUS) {
    throw fail.invalidRequest(`cannot have more than ${INSTANCE_MAX_CPUS} vCPUs per instance`)
  }
  if (ncpus < 1) throw fail.invalidValue('ncpus', 'an instance must have at least 1 vCPU')
  const size = (text: string) => fail.invalidValue('size', `memory must be ${text}`)
  if (memory < INSTANCE_MIN_MEMORY) throw size(`at least ${exactBytes(INSTANCE_MIN_MEMORY)}`)
  if (memory % GiB !== 0) throw size(`divisible by ${exactBytes(GiB)}`)
  if (memory > INSTANCE_MAX_MEMORY) {
    throw size(`less than or equal to ${exactBytes(INSTANCE_MAX_MEMORY)}`)
  }
}

function atMost(count: number, max: number, message: string): void {
  if (count > max) throw fail.invalidRequest(message)
}

/** @throws ApiError 400 for counts and settings that are always refused */
export function validateCreate(body: Wire.InstanceCreate): void {
  validateSize(body)
  atMost(
    body.disks.length + (body.boot_disk ? 1 : 0),
    INSTANCE_MAX_DISKS,
    `cannot attach more than ${INSTANCE_MAX_DISKS} disks to instance`,
  )
  if (body.network_interfaces.type === 'create') {
    const { params } = body.network_interfaces
    atMost(
      params.length,
      INSTANCE_MAX_NICS,
      `An instance may not have more than ${INSTANCE_MAX_NICS} network interfaces`,
    )
    if (new Set(params.map((nic) => nic.vpc_name)).size !== 1) {
      throw fail.invalidRequest('All interfaces must be in the same VPC')
    }
  }
  atMost(
    body.external_ips.length,
    INSTANCE_MAX_EXTERNAL_IPS,
    `An instance may not have more than ${INSTANCE_MAX_EXTERNAL_IPS} external IP addresses`,
  )
  atMost(
    body.external_ips.filter(({ type }) => type === 'ephemeral').length,
    INSTANCE_MAX_EPHEMERAL_IPS,
    `An instance may not have more than ${INSTANCE_MAX_EPHEMERAL_IPS} ephemeral IP addresses`,
  )
  atMost(
    body.ssh_public_keys?.length ?? 0,
    INSTANCE_MAX_SSH_KEYS,
    `cannot attach more than ${INSTANCE_MAX_SSH_KEYS} ssh keys to the instance`,
  )
}
