/** The target of a call, derived from its operation, its arguments and its lookups. */
import type { Operation } from '@steading/api'
import {
  isInProject,
  isUuid,
  type KindName,
  kindNames,
  kindTable,
  type SettingName,
  versionedSettings,
} from '@steading/api/rules'
import type { AuditContext } from './audit-context.ts'

export interface Target {
  kind: KindName
  /** Null if there is no such resource, or none was made. */
  id: string | null
  name: string
  siloId: string | null
  projectId: string | null
}

export interface AuditedOperation {
  id: string
  operation: Operation
}

/** The arguments of a call that can name its target. */
export interface Arguments {
  params?: unknown
  body?: unknown
}

/** Resource in paths → one of its kinds. */
const resources = new Map<string, KindName>(
  kindNames.toReversed().map((kind) => [kindTable[kind].resource, kind]),
)

/** The kind of a call's target: from its path, or from the id of its operation. */
function subjectOf(
  { id, operation: { path, audited } }: AuditedOperation,
  params: unknown,
): KindName | undefined {
  if (audited) return audited.kind as KindName
  if (path.includes('/{kind}/')) return textOf(params, 'kind') as KindName | undefined
  if (path.includes('/{setting}/')) {
    const setting = textOf(params, 'setting') as SettingName | undefined
    return setting && versionedSettings[setting].of
  }
  const segment = path.split('/').find((part) => resources.has(part))
  if (segment) return resources.get(segment)
  const words = id.replace(/^(current_user|system)_/, '')
  return kindNames
    .filter((kind) => words.startsWith(`${kind}_`))
    .toSorted((a, b) => b.length - a.length)[0]
}

const textOf = (from: unknown, property: string): string | undefined => {
  const value = (from as Record<string, unknown> | null | undefined)?.[property]
  return typeof value === 'string' ? value : undefined
}

export function targetOf(
  called: AuditedOperation,
  { params, body }: Arguments,
  audit: AuditContext,
): Target | undefined {
  const kind = subjectOf(called, params)
  if (!kind) return undefined
  const { resource } = kindTable[kind]
  const noted = audit.resources.filter((thing) => kindTable[thing.kind].resource === resource)
  const { audited } = called.operation
  const other = audited && audit.resources.find((one) => one.kind === audited.otherwise)
  const thing = noted.find(({ made }) => made) ?? noted[0] ?? other
  if (thing) return thing
  const selector = audited
    ? audited.name && textOf(body, audited.name)
    : (textOf(params, 'thing') ??
      Object.values((params ?? {}) as object)[0] ??
      textOf(body, 'name'))
  if (typeof selector !== 'string') return undefined
  const project = isInProject(kind)
    ? audit.resources.find((found) => found.kind === 'project')
    : undefined
  const place = { kind, siloId: project?.siloId ?? null, projectId: project?.id ?? null }
  return isUuid(selector)
    ? { ...place, id: selector, name: '' }
    : { ...place, id: null, name: selector }
}
