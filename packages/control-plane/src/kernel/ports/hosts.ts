/**
 * The port for hosts with an operating system, which operators look after: what runs there, and what
 * nobody owns. The control plane acts on none of it.
 */
import type { Accelerator } from '@steading/api/rules'
import type { LogPart } from './diagnostics.ts'
import type { Background } from './background.ts'

/** A domain that belongs to no instance. */
export interface OrphanedDomain {
  /** Serial number of its host. */
  host: string
  uuid: string
  name: string
  /** Address of its libvirt. */
  uri: string
  found: Date
}

export interface HostFacts {
  /** When a server of the host reported this. */
  reported: Date
  libvirtVersion: string
  qemuVersion: string
  uri: string
  accelerator: Accelerator
  /** Why guests are emulated. */
  acceleratorProblem?: string
  /** Why guests cannot boot by UEFI. */
  uefiProblem?: string
  architecture: string
  cpuModel: string
  /** The file system that the volumes are on; sizes in bytes. */
  storage: { path: string; size: number; free: number }
}

export interface Hosts extends Background {
  /**
   * Undefined for a host that has not reported yet.
   * @param serial of the sled
   */
  facts: (serial: string) => Promise<HostFacts | undefined>
  /**
   * When a call to libvirt on a host timed out; undefined once a later call has been answered.
   * @param serial of the sled
   */
  silentSince: (serial: string) => Date | undefined
  /**
   * Domains that belong to no instance, the oldest first.
   * @param most number of domains
   */
  orphanedDomains: (most: number) => Promise<OrphanedDomain[]>
  /** Versions and abilities of the software of this host, for support bundles. */
  summary: () => Promise<Record<string, unknown>>
  /** The ends of the logs of libvirt and of the machines on this host, for support bundles. */
  logs: () => AsyncIterable<LogPart>
}
