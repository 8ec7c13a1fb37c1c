/** The tables of interfaces in subnets. Each kind with interfaces declares its own. */
import { storedKinds } from '../../../kernel/kinds.ts'

/** Tables with the columns `vpc_id`, `subnet_id`, `mac`, `ipv4` and `ipv6`, and their indexes. */
type InterfaceTable = 'network_interface' | 'probe'

declare module '../../../kernel/kinds.ts' {
  interface Storage {
    /** The table of its interfaces in subnets. */
    interfaces?: InterfaceTable
  }
}

export const interfaceTables = (): readonly InterfaceTable[] =>
  storedKinds().flatMap(({ interfaces }) => interfaces ?? [])
