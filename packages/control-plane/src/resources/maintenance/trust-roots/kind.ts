import { jsonColumn } from '../../../kernel/db/json-column.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'

/** A TUF root that operators trust. */
export interface TrustRootTable {
  id: string
  /** All roots are in one list, the fleet's. */
  fleet_id: string
  /** The document as given; JSON. */
  root: string
  /** SHA-256 of the document in canonical form. */
  digest: string
  time_created: string
}

/** The column `root`. */
export const trustRootDocument = jsonColumn<any>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    trust_root: TrustRootTable
  }
}

export const trust_root: StoredKind<'trust_root'> = {
  live: '1 = 1',
}
