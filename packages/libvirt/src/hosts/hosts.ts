/** Hosts as operators see them. Each server reports on its own host, for the servers of all hosts. */
import type { EngineContext, Hosts } from '@steading/control-plane/ports'
import { hostReport } from '../machine-tables.ts'
import type { LocalHost } from '../host.ts'
import { LateCall, LibvirtError } from '../native/errors.ts'
import type { LibvirtOptions } from '../options.ts'
import type { Rows } from '../rows.ts'
import { abilitiesIn } from './abilities.ts'
import { logsOf } from './logs.ts'
import { findOrphanedDomains, recordOrphanedDomains } from './orphaned-domains.ts'
import { reportOn } from './report.ts'

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
  /** Serial number of this host. */
  serial: string
  local: () => Promise<LocalHost>
  libvirt: Pick<LibvirtOptions, 'uri' | 'logs'>
  /** Directory of the volumes. */
  volumes: string
  /** Milliseconds between two reports. */
  reportMs: number
}

export function createHosts(parts: HostsParts): Hosts {
  const { rows, serial, local, libvirt, volumes, clock } = parts
  const { db } = parts.database
  let timer: ReturnType<typeof setTimeout> | undefined
  let reporting = Promise.resolve()
  let closed = false
  /** Since when calls to libvirt exceed their time. */
  let silent: Date | undefined

  const report = async (): Promise<void> => {
    const host = await local()
    const now = clock()
    await db
      .updateTable('libvirt_host')
      .set({ report: hostReport.write(await reportOn(host, volumes, now)) })
      .where('serial', '=', serial)
      .execute()
    const orphaned = await findOrphanedDomains(host.libvirt, rows, host.files.owner)
    await recordOrphanedDomains(db, { host: serial, uri: host.libvirt.uri, now }, orphaned)
  }
  const reportOften = (): void => {
    reporting = report()
      .then(() => void (silent = undefined))
      .catch((error: unknown) => {
        if (error instanceof LateCall) silent ??= clock()
        // The scan of the machines says that libvirt does not answer.
        if (!(error instanceof LibvirtError)) parts.log('reporting on this host failed', error)
      })
      .then(() => {
        if (!closed) timer = setTimeout(reportOften, parts.reportMs)
      })
  }

  const summarize = async (): Promise<Record<string, unknown>> => {
    const host = await local()
    return {
      ...(await reportOn(host, volumes, clock())),
      abilities: abilitiesIn(await host.libvirt.domainCapabilities(host.accelerator)),
    }
  }

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
    silentSince: (of) => (of === serial ? silent : undefined),
    async orphanedDomains(most) {
      const found = await db
        .selectFrom('libvirt_lost_domain')
        .selectAll()
        // Nobody looks on a host that is no longer used.
        .where((eb) =>
          eb.or([
            eb('host', '=', serial),
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
    summary: () => withinPatience(summarize()),
    async *logs() {
      const machines = await rows.all(serial)
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
