import type { Row } from '../../kernel/kinds.ts'

export type SnapshotRow = Row<'snapshot'>
