/** Creates and changes templates. */
import { operations, ParseError, parseValue, type Wire } from '@steading/api'
import { INSTANCE_TEMPLATES_MAX, templateMessages } from '@steading/api/rules'
import { sampleInstances, templateProblem, TemplateProblem } from '@steading/api/templates'
import type { Context } from '../../../kernel/context.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { requireFreeName } from '../../../kernel/lookup.ts'
import { changeNamed, insertNamed } from '../../../kernel/named-rows.ts'
import { countRows } from '../../../kernel/db/rows.ts'
import { validateSize } from '../instances/validate.ts'
import { containerOf } from '../../tenancy/projects/placed.ts'
import { templateKind, type TemplateRow, templateInstance, templateVariables } from './kind.ts'

type Instance = Wire.InstanceTemplateCreate['instance']
type Variables = Wire.InstanceTemplateCreate['variables']
type Place = Pick<TemplateRow, 'silo_id' | 'project_id'>

/** The body of the call that creates an instance, by the schema of that call. */
export const parseInstance = (filled: unknown): Wire.InstanceCreate =>
  parseValue(operations.instance_create.body, filled) as Wire.InstanceCreate

/** The problem of an instance that the template makes with sample values. */
function sampleProblem(filled: unknown): string | undefined {
  try {
    validateSize(parseInstance(filled))
    return undefined
  } catch (error) {
    if (error instanceof ParseError) return error.message
    if (error instanceof ApiError) return error.template.message
    throw error
  }
}

/** @throws ApiError 400 for a template that can make no instances */
async function requireFilling(instance: Instance, variables: Variables): Promise<void> {
  const problem = templateProblem(instance, variables)
  if (problem) throw fail.invalidRequest(problem)
  try {
    for (const filled of sampleInstances(instance, variables)) {
      const one = sampleProblem(filled)
      if (one) throw fail.invalidValue('instance', templateMessages.filled(one))
      // Each choice of a long template takes a while.
      await yieldToEventLoop()
    }
  } catch (error) {
    if (error instanceof TemplateProblem) throw fail.invalidRequest(error.message)
    throw error
  }
}

const columnsOf = (instance: Instance, variables: Variables) => ({
  instance: templateInstance.write(instance),
  variables: templateVariables.write(variables),
  variable_count: variables.length,
})

/** @throws ApiError 400 */
export async function createTemplate(
  ctx: Context<'instance_template_create'>,
  place: Place,
): Promise<TemplateRow> {
  const { db, body } = ctx
  const { name, instance, variables } = body
  await requireFilling(instance, variables)
  const kind = templateKind(place)
  await requireFreeName(db, kind, containerOf(place), name)
  const column = kind === 'instance_template' ? 'its.project_id' : 'its.silo_id'
  const count = await countRows(rowsOf(db, kind).where(column, '=', containerOf(place)))
  if (count >= INSTANCE_TEMPLATES_MAX) throw fail.invalidRequest(templateMessages.tooMany)
  return insertNamed(ctx, kind, body, { ...place, ...columnsOf(instance, variables) })
}

/** @throws ApiError 400 */
export async function updateTemplate(
  ctx: Context<'instance_template_update'>,
  template: TemplateRow,
): Promise<TemplateRow> {
  const { body } = ctx
  const instance = body.instance ?? templateInstance.read(template.instance)
  const variables = body.variables ?? templateVariables.read(template.variables)
  await requireFilling(instance, variables)
  return changeNamed(ctx, templateKind(template), template, body, columnsOf(instance, variables))
}
