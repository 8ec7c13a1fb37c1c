/** Fields of the stored instance that can be variables, and the change from one to the other. */
import {
  GiB,
  INSTANCE_MAX_CPUS,
  INSTANCE_MAX_MEMORY,
  INSTANCE_MIN_MEMORY,
  type TemplateVariableType,
  VARIABLE_KEY,
} from '@steading/api/rules'
import {
  newVariable,
  type TemplateValue,
  type TemplateVariable,
  variablesIn,
} from '@steading/api/templates'

export type Stored = Record<string, unknown>
type Path = readonly (string | number)[]

/** A field that can be a variable. */
export type Place = {
  path: Path
  label: string
  type: TemplateVariableType
  /** Proposed name of the variable. */
  name: string
  value: unknown
  /** The variable that it is; undefined for a fixed value. */
  variable: string | undefined
}

type Known = Omit<Place, 'path' | 'value' | 'variable'>

const isObject = (value: unknown): value is Stored => typeof value === 'object' && value !== null

const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), value)

/** A copy with another value at a path. */
function replaced(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return next
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? replaced(item, rest, next) : item))
  }
  const object = isObject(value) ? value : {}
  return { ...object, [key]: replaced(object[key], rest, next) }
}

/** The variable that a value stands for. */
export const variableOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value[VARIABLE_KEY] === 'string' ? value[VARIABLE_KEY] : undefined

const fixed: [Path, Known][] = [
  [['ncpus'], { label: 'vCPUs', type: 'number', name: 'cpus' }],
  [['memory'], { label: 'Memory', type: 'size', name: 'memory' }],
  [
    ['boot_disk', 'disk_backend', 'disk_source', 'image_id'],
    { label: 'Image of the boot disk', type: 'image', name: 'image' },
  ],
  [['boot_disk', 'size'], { label: 'Size of the boot disk', type: 'size', name: 'boot_size' }],
]

const further: [Path, Known][] = [
  [['ssh_public_keys', 0], { label: 'SSH key', type: 'ssh_key', name: 'ssh_key' }],
  [['start'], { label: 'Start', type: 'boolean', name: 'start' }],
  [['description'], { label: 'Description', type: 'text', name: 'about' }],
  [['hostname'], { label: 'Hostname', type: 'text', name: 'host' }],
]

const listAt = (instance: Stored, path: Path): unknown[] => {
  const list = at(instance, path)
  return Array.isArray(list) ? list : []
}

/** The fields that the form knows, those without a value included if they can be added. */
export function placesIn(instance: Stored): Place[] {
  const disks = listAt(instance, ['disks']).map((_, index): [Path, Known] => [
    ['disks', index, 'size'],
    { label: `Size of disk ${index + 1}`, type: 'size', name: `disk${index + 1}_size` },
  ])
  const nics = listAt(instance, ['network_interfaces', 'params'])
  const networks = nics.flatMap((_, index): [Path, Known][] => {
    const suffix = nics.length === 1 ? '' : ` ${index + 1}`
    const path = ['network_interfaces', 'params', index] as const
    return [
      [
        [...path, 'vpc_name'],
        { label: `VPC${suffix && ` of interface${suffix}`}`, type: 'vpc', name: 'vpc' },
      ],
      [
        [...path, 'subnet_name'],
        { label: `Subnet${suffix && ` of interface${suffix}`}`, type: 'subnet', name: 'subnet' },
      ],
    ]
  })
  return [...fixed, ...disks, ...networks, ...further].flatMap(([path, known]) => {
    const value = at(instance, path)
    const canBeAdded = path[0] === 'ssh_public_keys' || path[0] === 'hostname'
    if (value === undefined && !canBeAdded) return []
    return [{ ...known, path, value, variable: variableOf(value) }]
  })
}

export type Edited = { instance: Stored; variables: TemplateVariable[] }

/** A name that no other variable has. */
export function freeName(name: string, variables: readonly { name: string }[]): string {
  const taken = (one: string) => variables.some((variable) => variable.name === one)
  for (let count = 1; ; count++) {
    const proposed = count === 1 ? name : `${name}_${count}`
    if (!taken(proposed)) return proposed
  }
}

const bounds: Partial<Record<string, Pick<TemplateVariable, 'min' | 'max'>>> = {
  ncpus: { min: 1, max: INSTANCE_MAX_CPUS },
  memory: { min: INSTANCE_MIN_MEMORY, max: INSTANCE_MAX_MEMORY },
}

/** Makes a variable of a field, with its value as the default. */
export function asVariable({ instance, variables }: Edited, place: Place): Edited {
  const name = freeName(place.name, variables)
  const stands = { [VARIABLE_KEY]: name }
  const isKey = place.path[0] === 'ssh_public_keys'
  const next = isKey
    ? { ...instance, ssh_public_keys: [stands] }
    : replaced(instance, place.path, stands)
  const preset = isObject(place.value) ? null : ((place.value as TemplateValue | undefined) ?? null)
  const variable = newVariable({
    name,
    label: place.label,
    type: place.type,
    default: preset,
    required: place.value !== undefined || isKey,
    ...bounds[place.path.join('.')],
  })
  return { instance: next as Stored, variables: [...variables, variable] }
}

/** Values of fields whose variable has no default. */
const usual: Partial<Record<TemplateVariableType, TemplateValue>> = {
  boolean: true,
  number: 2,
  size: GiB,
  text: '',
  vpc: 'default',
  subnet: 'default',
}

/** Takes the variable of a field away: the field gets the default. */
export function asFixed({ instance, variables }: Edited, place: Place): Edited {
  const variable = variables.find(({ name }) => name === place.variable)
  const value = variable?.default ?? usual[place.type] ?? place.value
  let next: Stored
  if (place.path[0] === 'ssh_public_keys' || (place.path[0] === 'hostname' && !variable?.default)) {
    next = Object.fromEntries(Object.entries(instance).filter(([key]) => key !== place.path[0]))
  } else {
    next = replaced(instance, place.path, value) as Stored
  }
  // Another place may still use it.
  const unused = unusedVariables({ instance: next, variables })
  const left = variables.filter((one) => one.name !== place.variable || !unused.includes(one))
  return { instance: next, variables: left }
}

/** The variables that no place uses; none while the instance has another problem. */
export function unusedVariables({ instance, variables }: Edited): TemplateVariable[] {
  try {
    const used = variablesIn(instance)
    return variables.filter(({ name }) => !used.has(name))
  } catch {
    return []
  }
}

/** The VPC of the interface whose subnet is a variable: a name, or the name of a variable. */
export function vpcBeside(
  instance: Stored,
  subnet: string,
): { name: string } | { variable: string } | undefined {
  const nic = listAt(instance, ['network_interfaces', 'params']).find(
    (one) => isObject(one) && variableOf(one.subnet_name) === subnet,
  )
  if (!isObject(nic)) return undefined
  const variable = variableOf(nic.vpc_name)
  if (variable !== undefined) return { variable }
  return typeof nic.vpc_name === 'string' ? { name: nic.vpc_name } : undefined
}
