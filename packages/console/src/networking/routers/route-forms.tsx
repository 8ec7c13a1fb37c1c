import type { Args, RouteDestination, RouterRoute, RouteTarget } from '@steading/api/client'
import {
  cidrFieldProblem,
  ipFieldProblem,
  routeCannotChange,
  type RouteDestinationType,
  type RouteTargetType,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Waypoints } from 'lucide-react'
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { seedAnswer } from '../../data/seed-answer.ts'
import { choicesOf } from '../../data/reads.ts'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { vpcSubnetsQuery } from '../subnets/queries.ts'
import { type PlannedChange, ConnectionChanges } from '../reachability/connection-changes.tsx'
import { Banner } from '../../ui/banner.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { kindText } from './columns.tsx'
import {
  gatewaysQuery,
  routeArgs,
  routeQuery,
  type RouterParams,
  useRouterParams,
} from './queries.ts'
import { ReasonField } from '../../forms/reason-field.tsx'
import { Truncate } from '../../ui/text.tsx'

type Values = {
  name: string
  description: string
  destinationType: RouteDestinationType
  destinationValue: string
  targetType: RouteTargetType
  targetValue: string
}

const initial: Values = {
  name: '',
  description: '',
  destinationType: 'ip',
  destinationValue: '',
  targetType: 'ip',
  targetValue: '',
}

const destinationTypes = [
  { value: 'ip', label: 'IP' },
  { value: 'ip_net', label: 'IP network' },
  { value: 'subnet', label: 'Subnet' },
]
const targetTypes = [
  { value: 'ip', label: 'IP' },
  { value: 'instance', label: 'Instance' },
  { value: 'internet_gateway', label: 'Internet gateway' },
  { value: 'drop', label: 'Drop' },
]

/** Removes leading zeros of a prefix length. */
function plainNetwork(text: string): string {
  const [address, width] = text.split('/')
  return `${address}/${Number(width)}`
}

const endsOf = (values: Values): { destination: RouteDestination; target: RouteTarget } => ({
  destination: {
    type: values.destinationType,
    value:
      values.destinationType === 'ip_net'
        ? plainNetwork(values.destinationValue)
        : values.destinationValue,
  },
  target:
    values.targetType === 'drop'
      ? { type: 'drop' }
      : { type: values.targetType, value: values.targetValue },
})

const named = ({ name }: { name: string }) => ({ value: name, label: name })

type FieldsProps = {
  params: RouterParams
  form: UseFormReturn<Values>
  /** The read-only fields: none, all but the target, or all. */
  fixed?: 'all but target' | 'all'
}

function RouteFields({ params, form, fixed }: FieldsProps) {
  const { control } = form
  const closed = fixed !== undefined
  return (
    <>
      <NameField control={control} disabled={closed} />
      <DescriptionField control={control} disabled={closed} />
      <hr className="border-line" />
      <DestinationFields params={params} form={form} disabled={closed} />
      <hr className="border-line" />
      <TargetFields params={params} form={form} disabled={fixed === 'all'} />
    </>
  )
}

type EndProps = { params: RouterParams; form: UseFormReturn<Values>; disabled: boolean }

/** Clears a value and its error, which are meaningless after a change of type. */
const forget = (form: UseFormReturn<Values>, field: 'destinationValue' | 'targetValue') => {
  form.setValue(field, '')
  form.clearErrors(field)
}

function DestinationFields({ params, form, disabled }: EndProps) {
  const { control } = form
  const type = useWatch({ control, name: 'destinationType' })
  const subnets = useQuery(vpcSubnetsQuery(params))
  const common = {
    name: 'destinationValue',
    label: 'Destination value',
    control,
    disabled,
  } as const
  return (
    <>
      <ListboxField
        name="destinationType"
        label="Destination type"
        control={control}
        disabled={disabled}
        options={destinationTypes}
        onChange={() => forget(form, 'destinationValue')}
      />
      {type === 'subnet' ? (
        <ComboboxField
          key={type}
          {...common}
          placeholder="Select a VPC subnet"
          empty="No VPC subnets"
          {...choicesOf(subnets, named)}
        />
      ) : (
        <TextField
          key={type}
          {...common}
          required
          mono
          placeholder={type === 'ip' ? 'Enter an IP' : 'Enter an IP network'}
          validate={type === 'ip' ? ipFieldProblem : cidrFieldProblem}
        />
      )}
    </>
  )
}

function TargetFields({ params, form, disabled }: EndProps) {
  const { control } = form
  const type = useWatch({ control, name: 'targetType' })
  const instances = useQuery(projectInstancesQuery(params.project))
  const gateways = useQuery(gatewaysQuery(params))
  const common = { name: 'targetValue', label: 'Target value', control, disabled } as const
  return (
    <>
      <ListboxField
        name="targetType"
        label="Target type"
        control={control}
        disabled={disabled}
        options={
          type === 'subnet' ? [...targetTypes, { value: type, label: 'Subnet' }] : targetTypes
        }
        onChange={() => forget(form, 'targetValue')}
      />
      {type === 'ip' && (
        <TextField
          key={type}
          {...common}
          required
          mono
          placeholder="Enter an IP"
          validate={ipFieldProblem}
        />
      )}
      {type === 'subnet' && <TextField key={type} {...common} required />}
      {type === 'instance' && (
        <ComboboxField
          key={type}
          {...common}
          placeholder="Select an instance"
          empty="No instances"
          {...choicesOf(instances, named)}
        />
      )}
      {type === 'internet_gateway' && (
        <ComboboxField
          key={type}
          {...common}
          placeholder="Select an internet gateway"
          empty="No internet gateways"
          {...choicesOf(gateways, named)}
        />
      )}
    </>
  )
}

const isSaid = (type: RouteDestinationType | RouteTargetType, value: string): boolean => {
  if (type === 'ip') return ipFieldProblem(value) === undefined
  if (type === 'ip_net') return cidrFieldProblem(value) === undefined
  return type === 'drop' || value !== ''
}

type PlanProps = {
  form: UseFormReturn<Values>
  changeOf: (ends: ReturnType<typeof endsOf>) => PlannedChange
}

/**
 * Connections the route in the form would open and close. Watches only fields that affect traffic,
 * so typing the name sends no requests.
 */
function RoutePlan({ form: { control }, changeOf }: PlanProps) {
  const values = useWatch({ control }) as Values
  const isWhole =
    isSaid(values.destinationType, values.destinationValue) &&
    isSaid(values.targetType, values.targetValue)
  return <ConnectionChanges change={isWhole ? changeOf(endsOf(values)) : undefined} />
}

function useLeave({ project, vpc, router }: RouterParams) {
  const navigate = useNavigate()
  return () =>
    void navigate({
      to: '/projects/$project/vpcs/$vpc/routers/$router',
      params: { project, vpc, router },
    })
}

export function RouteCreateForm() {
  const params = useRouterParams()
  const close = useLeave(params)
  const form = useForm({ defaultValues: initial })
  const argsOf = (values: Values): Args<'vpcRouterRouteCreate'> => ({
    query: params,
    body: { name: values.name, description: values.description, ...endsOf(values) },
  })
  const create = useApiForm('vpcRouterRouteCreate', argsOf, {
    onSuccess: (route) => {
      seedAnswer('vpcRouterRouteView', routeArgs({ ...params, route: route.name }), route)
      doneToast('Route', route.name, 'created')
      close()
    },
  })
  return (
    <SideModalForm form={form} formType="create" resource="route" {...create} onDismiss={close}>
      <RouteFields params={params} form={form} />
      <RoutePlan
        form={form}
        changeOf={(ends) => ({
          query: params,
          body: {
            type: 'route_create',
            create: { name: 'the-route-of-the-form', description: '', ...ends },
          },
        })}
      />
      <ReasonField operation="vpcRouterRouteCreate" />
    </SideModalForm>
  )
}

/** The read-only fields of a route, by its kind. */
const fixedOf = ({ kind }: RouterRoute): FieldsProps['fixed'] =>
  routeCannotChange(kind) ? 'all' : kind === 'default' ? 'all but target' : undefined

export function RouteEditForm() {
  const { route: selector, ...params } = useParams({
    from: '/shell/projects-crumb/projects/$project/vpcs-crumb/vpcs/$vpc/routers-page/routers/$router/page/routes/$route/edit',
  })
  const args = routeArgs({ ...params, route: selector })
  const close = useLeave(params)
  const argsOf = (values: Values, { kind }: RouterRoute): Args<'vpcRouterRouteUpdate'> => ({
    ...args,
    body: {
      // The API refuses a name for default routes, even the current one.
      ...(kind === 'default' ? {} : { name: values.name, description: values.description }),
      ...endsOf(values),
    },
  })
  const {
    opened: route,
    form,
    ...update
  } = useEditForm('vpcRouterRouteUpdate', {
    resource: 'route',
    read: routeQuery({ ...params, route: selector }),
    valuesOf: ({ name, description, destination, target }: RouterRoute): Values => ({
      name,
      description,
      destinationType: destination.type,
      destinationValue: destination.value,
      targetType: target.type,
      targetValue: 'value' in target ? target.value : '',
    }),
    fields: {
      ...namedFields,
      destinationType: 'Destination type',
      destinationValue: 'Destination value',
      targetType: 'Target type',
      targetValue: 'Target value',
    },
    argsOf,
    onSuccess: (updated) => {
      seedAnswer('vpcRouterRouteView', routeArgs({ ...params, route: updated.name }), updated)
      doneToast('Route', updated.name, 'updated')
      close()
    },
  })
  const fixed = fixedOf(route)
  const reason = routeCannotChange(route.kind)?.console
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind="router_route" thing={route} />}
      subtitle={
        <>
          <Waypoints size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={route.name} />
        </>
      }
      {...update}
      submitDisabledReason={reason}
      onDismiss={close}
    >
      {reason && <Banner>{reason}</Banner>}
      {fixed === 'all but target' && (
        <Banner>Only the target of a default route can be changed.</Banner>
      )}
      <PropertiesTable>
        <PropertiesTable.IdRow id={route.id} />
        <PropertiesTable.DateRow date={route.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={route.timeModified} label="Updated" />
        <PropertiesTable.Row label="Kind">
          <Tag>{kindText(route.kind)}</Tag>
        </PropertiesTable.Row>
      </PropertiesTable>
      <RouteFields params={params} form={form} fixed={fixed} />
      {fixed !== 'all' && (
        <RoutePlan
          form={form}
          changeOf={(update) => ({ body: { type: 'route_update', route: route.id, update } })}
        />
      )}
      <ReasonField operation="vpcRouterRouteUpdate" />
    </SideModalForm>
  )
}
