import type { Db } from '../../../kernel/db/database.ts'
import { readRow } from '../../../kernel/db/rows.ts'

/** The project of a VPC, for the events of resources inside it. */
export async function projectOfVpc(db: Db, vpcId: string): Promise<{ project_id: string }> {
  return readRow(db, 'vpc', vpcId, 'project_id')
}

export async function projectOfRouter(db: Db, routerId: string): Promise<{ project_id: string }> {
  return db
    .selectFrom('vpc_router as router')
    .innerJoin('vpc', 'vpc.id', 'router.vpc_id')
    .select('vpc.project_id')
    .where('router.id', '=', routerId)
    .executeTakeFirstOrThrow()
}
