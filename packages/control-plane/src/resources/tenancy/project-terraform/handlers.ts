import type { tables } from '@steading/api'
import { authenticate } from '../../identity/auth/authenticate.ts'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { streamOf } from '../../../kernel/download.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { exportProject } from './export.ts'

/** The caller's rights are checked again before each piece, because they may end meanwhile. */
async function* pieces(
  { db, actor, services, http, requiredActions }: Context<'project_terraform'>,
  project: Row<'project'>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of exportProject(db, actor, project)) {
    const { actor: now } = await authenticate(services, http.request, services.clock(), false)
    const scope = { siloId: project.silo_id, projectId: project.id }
    authorize({ actor: now, requiredActions }, 'project', scope)
    if (text !== '') yield encoder.encode(text)
  }
}

export const projectTerraformHandlers: Handlers<typeof tables.projectTerraformOperations> = {
  async project_terraform(ctx) {
    const project = await lookup(ctx, 'project', ctx.params.project)
    return new Response(streamOf(pieces(ctx, project)), {
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="${project.name}.tf"`,
      },
    })
  },
}
