/**
 * Creates instances from a template: each an attempt in the call's transaction, so that one that is
 * refused leaves nothing behind and the others stay.
 */
import { ParseError, type Wire } from '@steading/api'
import { isUuid, nameProblem, templateInstanceNames, templateMessages } from '@steading/api/rules'
import { fillTemplate, TemplateProblem, templateValues } from '@steading/api/templates'
import { attempt } from '../../../kernel/attempt.ts'
import { createAuditContext } from '../../../kernel/audit/audit-context.ts'
import type { Context } from '../../../kernel/context.ts'
import { type ApiError, fail } from '../../../kernel/errors.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { runWork } from '../../../kernel/work.ts'
import { lookupSource } from '../../storage/images/lookup.ts'
import { createInstance } from '../instances/create.ts'
import type { InstanceRow } from '../instances/wire.ts'
import { type TemplateRow, templateInstance, templateVariables } from './kind.ts'
import { parseInstance } from './save.ts'

type Using = Context<'instance_template_use'>

/** An instance that was created, or the refusal. */
export interface Made {
  name: string
  instance?: InstanceRow
  refusal?: ApiError
}

/** The id of an image that is given by name. */
const imageId = async (ctx: Using, project: Row<'project'>, selector: string): Promise<string> =>
  isUuid(selector) ? selector : (await lookupSource(ctx, project, selector)).id

/** The problem of a template or its values, as a 400 of the contract. */
function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof TemplateProblem) throw fail.invalidValue('values', error.message)
    if (error instanceof ParseError) throw fail.invalidValue('values', error.message)
    throw error
  }
}

/** @throws ApiError 400 for values that do not fit, 404 for an image */
async function bodiesOf(
  ctx: Using,
  template: TemplateRow,
  project: Row<'project'>,
): Promise<Wire.InstanceCreate[]> {
  const { name, count, first_number, values: given } = ctx.body
  const variables = templateVariables.read(template.variables)
  const instance = templateInstance.read(template.instance)
  const values = refusing(() => templateValues(variables, given))
  for (const variable of variables) {
    const value = values.get(variable.name)
    if (variable.type === 'image' && value !== undefined) {
      values.set(variable.name, await imageId(ctx, project, String(value)))
    }
  }
  const bodies: Wire.InstanceCreate[] = []
  for (const one of templateInstanceNames(name, count, first_number)) {
    if (nameProblem(one)) throw fail.invalidValue('name', templateMessages.nameLong(one))
    if (bodies.length > 0) await yieldToEventLoop()
    bodies.push(refusing(() => parseInstance(fillTemplate(instance, one, values))))
  }
  return bodies
}

/** @throws anything but refusals: a conflict, or an outage of the database */
async function make(ctx: Using, project: Row<'project'>, body: Wire.InstanceCreate): Promise<Made> {
  const { db, services, now, actor, requiredActions } = ctx
  const { name } = body
  const audit = createAuditContext()
  const parts = { services, db, now, actor, requiredActions, audit }
  const attempted = await attempt(services, db, () =>
    runWork(parts, (work) => createInstance(work, project, body)),
  )
  if ('value' in attempted) {
    for (const { made, ...one } of audit.resources) ctx.audit.note(one, made)
    return { name, instance: attempted.value }
  }
  if (!attempted.refusal) throw attempted.error
  return { name, refusal: attempted.refusal }
}

/**
 * @throws ApiError 400 for values that do not fit; 404; the refusal of the first instance if none
 *   was created
 */
export async function instancesFrom(
  ctx: Using,
  template: TemplateRow,
  project: Row<'project'>,
): Promise<Made[]> {
  const made: Made[] = []
  for (const body of await bodiesOf(ctx, template, project)) {
    if (made.length > 0) await yieldToEventLoop()
    made.push(await make(ctx, project, body))
  }
  if (made.every(({ instance }) => !instance)) throw made[0]!.refusal!
  return made
}
