import type { Db } from '../../../kernel/db/database.ts'

/** The project of a VPC, for the events of resources inside it. */
export async function projectOfVpc(db: Db, vpcId: string): Promise<{ project_id: string }> {
  return db.selectFrom('vpc').select('project_id').where('id', '=', vpcId).executeTakeFirstOrThrow()
}

export async function projectOfRouter(db: Db, routerId: string): Promise<{ project_id: string }> {
  return db
    .selectFrom('vpc_router as router')
    .innerJoin('vpc', 'vpc.id', 'router.vpc_id')
    .select('vpc.project_id')
    .where('router.id', '=', routerId)
    .executeTakeFirstOrThrow()
}
