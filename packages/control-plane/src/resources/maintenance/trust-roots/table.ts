import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** A root of TUF that operators trust. */
export interface TrustRootTable {
  id: string
  /** All of them are in one list, that of the fleet. */
  fleet_id: string
  /** The document as it was given; JSON. */
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
