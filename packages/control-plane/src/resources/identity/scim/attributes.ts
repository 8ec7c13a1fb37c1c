/**
 * The attributes of users and groups, declared once: reading bodies, applying PATCH, selecting
 * attributes of answers, and `/Schemas` derive from this.
 */
import { scimSchemas } from '@steading/api/rules'

export interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'complex' | 'reference'
  description: string
  multiValued?: true
  required?: true
  /** The value of an attribute that the client has not set or has removed. */
  initial?: boolean
  caseExact?: true
  /** Forbids invisible characters; `joined` permits those that join letters of some scripts. */
  visible?: 'all' | 'joined'
  /** Writable by clients by default. */
  mutability?: 'readOnly' | 'immutable'
  /** Included even in answers for which the client selects other attributes. */
  returned?: 'always'
  uniqueness?: 'server'
  canonicalValues?: readonly string[]
  referenceTypes?: readonly string[]
  /** Of a complex attribute. */
  sub?: readonly Attribute[]
}

export interface ResourceType {
  name: 'User' | 'Group'
  /** Last segment of its path. */
  endpoint: string
  schema: string
  description: string
  attributes: readonly Attribute[]
  /** Attributes of the standard that clients may send, and that are not stored. */
  dropped: readonly string[]
  /** Extension schemas whose attributes are not stored either. */
  droppedSchemas: readonly string[]
}

const text = (name: string, description: string): Attribute => ({
  name,
  type: 'string',
  description,
})

/** Attributes that resources of every type have; schemas do not list them. */
const common: readonly Attribute[] = [
  { ...text('schemas', 'The schemas of the resource'), multiValued: true, returned: 'always' },
  { ...text('id', 'Identifier'), mutability: 'readOnly', returned: 'always', caseExact: true },
  { ...text('externalId', 'What the client calls it'), caseExact: true },
  {
    name: 'meta',
    type: 'complex',
    description: 'About the resource',
    mutability: 'readOnly',
    sub: ['resourceType', 'created', 'lastModified', 'location', 'version'].map((name) =>
      text(name, name),
    ),
  },
]

export const userType: ResourceType = {
  name: 'User',
  endpoint: 'Users',
  schema: scimSchemas.user,
  description: 'A user of the silo',
  attributes: [
    {
      ...text('userName', 'The name with which the user signs in; the NameID of SAML'),
      visible: 'all',
      required: true,
      uniqueness: 'server',
    },
    {
      name: 'name',
      type: 'complex',
      description: 'The parts of the name of the user',
      sub: [
        text('formatted', 'The whole name'),
        text('familyName', 'Family name'),
        text('givenName', 'Given name'),
        text('middleName', 'Middle name'),
        text('honorificPrefix', 'Title before the name'),
        text('honorificSuffix', 'Title after the name'),
      ],
    },
    { ...text('displayName', 'The name of the user for people'), visible: 'joined' },
    {
      name: 'active',
      type: 'boolean',
      description: 'Whether the user can sign in',
      initial: true,
    },
    {
      name: 'emails',
      type: 'complex',
      description: 'Email addresses',
      multiValued: true,
      sub: [
        text('value', 'The address'),
        text('display', 'The address for people'),
        { ...text('type', 'What it is for'), canonicalValues: ['work', 'home', 'other'] },
        { name: 'primary', type: 'boolean', description: 'Whether it is the preferred one' },
      ],
    },
    {
      name: 'groups',
      type: 'complex',
      description: 'The groups of the user',
      multiValued: true,
      mutability: 'readOnly',
      sub: [
        { ...text('value', 'The id of the group'), mutability: 'readOnly', caseExact: true },
        {
          name: '$ref',
          type: 'reference',
          description: 'The address of the group',
          mutability: 'readOnly',
          referenceTypes: ['Group'],
        },
        { ...text('display', 'The name of the group'), mutability: 'readOnly' },
        {
          ...text('type', 'How the user is a member'),
          mutability: 'readOnly',
          canonicalValues: ['direct'],
        },
      ],
    },
  ],
  dropped: [
    'nickName',
    'profileUrl',
    'title',
    'userType',
    'preferredLanguage',
    'locale',
    'timezone',
    'password',
    'phoneNumbers',
    'ims',
    'photos',
    'addresses',
    'entitlements',
    'roles',
    'x509Certificates',
  ],
  droppedSchemas: [scimSchemas.enterpriseUser],
}

export const groupType: ResourceType = {
  name: 'Group',
  endpoint: 'Groups',
  schema: scimSchemas.group,
  description: 'A group of users of the silo, which can have roles',
  attributes: [
    {
      ...text('displayName', 'The name of the group'),
      visible: 'all',
      required: true,
      uniqueness: 'server',
    },
    {
      name: 'members',
      type: 'complex',
      description: 'The users in the group',
      multiValued: true,
      sub: [
        {
          ...text('value', 'The id of the user'),
          mutability: 'immutable',
          caseExact: true,
        },
        {
          name: '$ref',
          type: 'reference',
          description: 'The address of the user',
          mutability: 'readOnly',
          referenceTypes: ['User'],
        },
        { ...text('display', 'The name of the user'), mutability: 'readOnly' },
        {
          ...text('type', 'What the member is'),
          mutability: 'immutable',
          canonicalValues: ['User'],
        },
      ],
    },
  ],
  dropped: [],
  droppedSchemas: [],
}

export const resourceTypes = [userType, groupType] as const

/** Names of attributes are case-insensitive. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export const named = (
  attributes: readonly Attribute[] | undefined,
  name: string,
): Attribute | undefined => attributes?.find((each) => same(each.name, name))

/** All attributes of a resource, including the common ones. */
export const allAttributes = ({ attributes }: ResourceType): readonly Attribute[] => [
  ...common,
  ...attributes,
]

/** Whether an attribute is a standard one that is not stored. */
export const isDropped = (type: ResourceType, schema: string | undefined, name: string): boolean =>
  schema === undefined || same(schema, type.schema)
    ? type.dropped.some((each) => same(each, name))
    : type.droppedSchemas.some((each) => same(each, schema))

/** Whether a schema is the one with the attributes of a resource. */
export const isSchemaOf = (type: ResourceType, schema: string | undefined): boolean =>
  schema === undefined || same(schema, type.schema)

/** Whether a name denotes a whole extension that is not stored. */
export const isDroppedSchema = (type: ResourceType, name: string): boolean =>
  type.droppedSchemas.some((each) => same(each, name))
