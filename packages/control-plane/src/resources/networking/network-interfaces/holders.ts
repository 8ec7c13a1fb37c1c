/** What has interfaces in subnets. Each resource that has some declares its table. */
import type { TableName } from '../../../kernel/db/tables.ts'

/** A table with these columns of an interface; it is read as if it were the table of instances'. */
type InterfaceTable = Extract<TableName, 'network_interface'>

const declared: InterfaceTable[] = []

/** @param table has `vpc_id`, `subnet_id`, `mac`, `ipv4` and `ipv6`, with the indexes of these */
export const holdInterfaces = (table: TableName): void => {
  declared.push(table as InterfaceTable)
}

export const interfaceTables = (): readonly InterfaceTable[] => declared
