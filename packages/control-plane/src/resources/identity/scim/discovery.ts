/** The capabilities of SCIM here, for clients that ask (RFC 7643, sections 5 to 7). */
import { SCIM_BODY_MAX, SCIM_PAGE_MAX, scimMessages, scimSchemas } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import { type Attribute, type ResourceType, resourceTypes } from './attributes.ts'
import { type Call, listOf, locationOf } from './resource.ts'
import type { Values } from './values.ts'

export const configOf = (call: Call): Values => ({
  schemas: [scimSchemas.config],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: SCIM_BODY_MAX },
  filter: { supported: true, maxResults: SCIM_PAGE_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'SCIM token',
      description: 'A token that an administrator of the silo has created, sent as bearer token',
      primary: true,
    },
  ],
  meta: {
    resourceType: 'ServiceProviderConfig',
    location: locationOf(call, 'ServiceProviderConfig'),
  },
})

const toScimType = (call: Call, { name, endpoint, description, schema }: ResourceType): Values => ({
  schemas: [scimSchemas.resourceType],
  id: name,
  name,
  endpoint: `/${endpoint}`,
  description,
  schema,
  schemaExtensions: [],
  meta: { resourceType: 'ResourceType', location: locationOf(call, 'ResourceTypes', name) },
})

const toScimAttribute = (attribute: Attribute): Values => {
  const { name, type, description, sub, canonicalValues, referenceTypes } = attribute
  return {
    name,
    type,
    multiValued: attribute.multiValued ?? false,
    description,
    required: attribute.required ?? false,
    ...(type === 'string' ? { caseExact: attribute.caseExact ?? false } : {}),
    ...(canonicalValues ? { canonicalValues } : {}),
    ...(referenceTypes ? { referenceTypes } : {}),
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    uniqueness: attribute.uniqueness ?? 'none',
    ...(sub ? { subAttributes: sub.map(toScimAttribute) } : {}),
  }
}

const toScimSchema = (
  call: Call,
  { name, schema, description, attributes }: ResourceType,
): Values => ({
  schemas: [scimSchemas.schema],
  id: schema,
  name,
  description,
  attributes: attributes.map(toScimAttribute),
  meta: { resourceType: 'Schema', location: locationOf(call, 'Schemas', schema) },
})

type ToScim = (call: Call, type: ResourceType) => Values

/** Clients may not search the descriptions of the service (RFC 7644, section 4). */
function listAll(call: Call, filter: string | undefined, toScim: ToScim): Values {
  if (filter) throw fail.scim(403, undefined, 'This cannot be filtered')
  const all = resourceTypes.map((type) => toScim(call, type))
  return listOf(all, all.length, { startIndex: 1 })
}

function oneById(call: Call, id: string, name: string, toScim: ToScim): Values {
  const found = resourceTypes
    .map((type) => toScim(call, type))
    .find((each) => (each.id as string).toLowerCase() === id.toLowerCase())
  if (!found) throw fail.scim(404, undefined, scimMessages.notFound(name, id))
  return found
}

export const listTypes = (call: Call, filter?: string): Values => listAll(call, filter, toScimType)
export const resourceTypeById = (call: Call, id: string): Values =>
  oneById(call, id, 'ResourceType', toScimType)
export const listSchemas = (call: Call, filter?: string): Values =>
  listAll(call, filter, toScimSchema)
export const schemaById = (call: Call, id: string): Values =>
  oneById(call, id, 'Schema', toScimSchema)
