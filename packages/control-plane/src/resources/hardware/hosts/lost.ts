import type { HostEnrolment } from '../../../kernel/ports/host-enrolment.ts'

/** Whether the connection to a host, by its serial number, is lost. */
export type IsLost = (serial: string) => boolean

export const lostHosts =
  (enrolment: HostEnrolment | undefined): IsLost =>
  (serial) =>
    enrolment?.connection(serial)?.connected === false
