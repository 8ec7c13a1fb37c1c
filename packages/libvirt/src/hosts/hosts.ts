/** Hosts as operators see them. Each server reports on its own host, for the servers of all hosts. */
import type { EngineContext, Hosts } from '@steading/control-plane/ports'
import { errorMessage } from '@steading/files'
import { hostReport } from '../machine-tables.ts'
import { LateCall, LibvirtError } from '../native/errors.ts'
import type { LibvirtOptions } from '../options.ts'
import type { Rows } from '../rows.ts'
import { abilitiesIn } from './abilities.ts'
import type { HostSet } from './host-set.ts'
import { logsOf } from './logs.ts'
import { findOrphanedDomains, recordOrphanedDomains } from './orphaned-domains.ts'
import { reportOn, type VolumesPlace } from './report.ts'

/** Support bundles are collected also while libvirt hangs. Milliseconds. */
const PATIENCE_MS = 10_000

/** @throws if libvirt does not answer soon */
async function withinPatience<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('libvirt does not answer')), PATIENCE_MS)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

interface HostsParts extends Pick<EngineContext, 'database' | 'clock' | 'log'> {
  rows: Rows
  hosts: HostSet
  /** Serial number of the host of this server; undefined where operators add hosts. */
  own: string | undefined
  libvirt: Pick<LibvirtOptions, 'uri' | 'logs'>
  volumes: VolumesPlace
  /** Milliseconds between two reports. */
  reportMs: number
}

export function createHosts(parts: HostsParts): Hosts {
  const { rows, hosts, own, libvirt, volumes, clock } = parts
  const { db } = parts.database
  let timer: ReturnType<typeof setTimeout> | undefined
  let reporting: Promise<unknown> = Promise.resolve()
  let closed = false
  /** Serial number → since when calls to its libvirt exceed their time. */
  const silent = new Map<string, Date>()

  const report = async (serial: string): Promise<void> => {
    const host = await hosts.of(serial)
    const now = clock()
    await db
      .updateTable('libvirt_host')
      .set({ report: hostReport.write(await reportOn(host, volumes, now, serial === own)) })
      .where('serial', '=', serial)
      .execute()
    const orphaned = await findOrphanedDomains(host.libvirt, rows, host.files.owner)
    await recordOrphanedDomains(db, { host: serial, uri: host.libvirt.uri, now }, orphaned)
  }
  const reportSafely = async (serial: string): Promise<void> => {
    try {
      await report(serial)
      silent.delete(serial)
    } catch (error) {
      if (error instanceof LateCall && !silent.has(serial)) silent.set(serial, clock())
      // The scan of the machines says that libvirt does not answer.
      if (!(error instanceof LibvirtError)) parts.log(`reporting on ${serial} failed`, error)
    }
  }
  const reportAll = async (): Promise<void> => {
    const serials = await hosts.serials()
    await Promise.all(serials.filter((serial) => hosts.drives(serial)).map(reportSafely))
  }
  const reportOften = (): void => {
    reporting = reportAll()
      .catch((error: unknown) => parts.log('reporting on the hosts failed', error))
      .then(() => {
        if (!closed) timer = setTimeout(reportOften, parts.reportMs)
      })
  }

  const summarize = async (serial: string): Promise<Record<string, unknown>> => {
    const host = await hosts.of(serial)
    return {
      ...(await reportOn(host, volumes, clock(), serial === own)),
      abilities: abilitiesIn(await host.libvirt.domainCapabilities(host.accelerator)),
    }
  }
  /** A summary of each host, and the reason in place of one that does not answer. */
  const summarizeAll = async (): Promise<Record<string, unknown>> =>
    Object.fromEntries(
      await Promise.all(
        (await hosts.serials()).map(async (serial) => [
          serial,
          await withinPatience(summarize(serial)).catch((error: unknown) => ({
            problem: errorMessage(error),
          })),
        ]),
      ),
    )

  return {
    async facts(of) {
      const row = await db
        .selectFrom('libvirt_host')
        .select('report')
        .where('serial', '=', of)
        .executeTakeFirst()
      if (!row || row.report === null) return undefined
      const { reported, ...facts } = hostReport.read(row.report)
      return { ...facts, reported: new Date(reported) }
    },
    silentSince: (of) => silent.get(of),
    async orphanedDomains(most) {
      const found = await db
        .selectFrom('libvirt_lost_domain')
        .selectAll()
        // Nobody looks on a host that is no longer used.
        .where((eb) =>
          eb.or([
            ...(own === undefined ? [] : [eb('host', '=', own)]),
            eb(
              'host',
              'in',
              eb.selectFrom('libvirt_host').select('serial').where('sled_id', 'is not', null),
            ),
          ]),
        )
        .orderBy('time_found')
        .orderBy('uuid')
        .limit(most)
        .execute()
      return found.map(({ time_found, ...domain }) => ({ ...domain, found: new Date(time_found) }))
    },
    summary: () => (own === undefined ? summarizeAll() : withinPatience(summarize(own))),
    async *logs() {
      // The logs of other hosts are theirs.
      if (own === undefined) return
      const machines = await rows.all(own)
      const newest = machines.toSorted((one, other) => other.since - one.since)
      yield* logsOf(
        libvirt,
        newest.map(({ id }) => id),
      )
    },
    start: reportOften,
    async close() {
      closed = true
      clearTimeout(timer)
      await reporting
    },
  }
}
