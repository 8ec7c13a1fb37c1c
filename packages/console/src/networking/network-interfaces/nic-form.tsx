import type { InstanceNetworkInterfaceCreate, VpcSubnet } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { choicesOf } from '../../data/reads.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import type { PlannedChange } from '../reachability/connection-changes.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import type { Option } from '../../ui/form/options.tsx'
import { SideModalForm, type SubmitError } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { vpcSubnetsQuery } from '../subnets/queries.ts'
import { projectVpcsQuery } from '../vpcs/queries.ts'
import { ipConfigOf, stackVersions, type StackType } from './stacks.ts'
import { Truncate } from '../../ui/text.tsx'

const stackTypes = [
  { value: 'dual_stack', label: 'IPv4 & IPv6' },
  { value: 'v4', label: 'IPv4' },
  { value: 'v6', label: 'IPv6' },
]

const initial = {
  name: '',
  description: '',
  vpc: '',
  subnet: '',
  type: 'dual_stack' as StackType,
  v4: '',
  v6: '',
}

const toNicCreate = ({
  name,
  description,
  vpc,
  subnet,
  type,
  v4,
  v6,
}: typeof initial): InstanceNetworkInterfaceCreate => ({
  name,
  description,
  vpcName: vpc,
  subnetName: subnet,
  ipConfig: ipConfigOf(type, v4, v6),
})

const subnetOption = ({ name, ipv4Block }: VpcSubnet): Option => ({
  value: name,
  label: name,
  content: (
    <span className="flex items-center gap-3">
      <Truncate text={name} className="flex-1" />
      <span className="font-mono text-xs tracking-tight text-tertiary">{ipv4Block}</span>
    </span>
  ),
})

type Props = {
  project: string
  /** Names of the instance's other interfaces. */
  takenNames?: string[]
  onSubmit: (nic: InstanceNetworkInterfaceCreate) => void
  onDismiss: () => void
  loading?: boolean
  submitError?: SubmitError | null
  /** Renders the creation of the interface as code. */
  code?: (nic: InstanceNetworkInterfaceCreate) => ReactNode
  /** The planned change of the network, if the instance exists. */
  plan?: (nic: InstanceNetworkInterfaceCreate) => PlannedChange
}

/** Placeholder name in the plan until a name is entered. */
const UNNAMED = 'new'

function Plan({
  control,
  plan,
}: {
  control: Control<typeof initial>
  plan: NonNullable<Props['plan']>
}) {
  const values = useWatch({ control }) as typeof initial
  const nic = toNicCreate({ ...values, name: UNNAMED, description: '' })
  return <PlannedChanges change={values.vpc && values.subnet ? plan(nic) : undefined} />
}

/** The form for a new interface of an existing instance, or of one being created. */
export function NicForm(props: Props) {
  const { project, takenNames = [], onSubmit, onDismiss } = props
  const { loading = false, submitError = null, code, plan } = props
  const navigate = useNavigate()
  const form = useForm({ defaultValues: initial })
  const { control, resetField, getValues } = form
  const [vpc, type] = useWatch({ control, name: ['vpc', 'type'] })
  const vpcs = useQuery(projectVpcsQuery(project))
  const subnets = useQuery({ ...vpcSubnetsQuery({ project, vpc }), enabled: vpc !== '' })

  const subnetChoices = choicesOf(subnets, subnetOption)

  const onlyVpc = vpcs.data?.items.length === 1 ? vpcs.data.items[0]!.name : ''
  useEffect(() => {
    // A single option is preselected, without making the form dirty.
    if (onlyVpc && !getValues('vpc')) resetField('vpc', { defaultValue: onlyVpc })
  }, [onlyVpc, getValues, resetField])

  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="network interface"
      title="Add network interface"
      onSubmit={(values) => onSubmit(toNicCreate(values))}
      onDismiss={onDismiss}
      loading={loading}
      submitError={submitError}
      code={code && ((values) => code(toNicCreate(values)))}
    >
      <NameField
        control={control}
        validate={(name) => (takenNames.includes(name) ? 'Name is already in use' : undefined)}
      />
      <DescriptionField control={control} />
      <hr className="border-line" />
      <ListboxField
        name="vpc"
        label="VPC"
        placeholder="Select a VPC"
        control={control}
        empty="No VPCs found"
        whenEmpty={{
          label: 'Create a VPC',
          onAction: () => void navigate({ to: '/projects/$project/vpcs-new', params: { project } }),
        }}
        {...choicesOf(vpcs, ({ name }) => ({ value: name, label: name }))}
        onChange={() => resetField('subnet')}
      />
      <ListboxField
        name="subnet"
        label="VPC subnet"
        placeholder="Select a VPC subnet"
        empty={vpc ? 'No subnets found' : 'Select a VPC to see subnets'}
        control={control}
        disabled={!vpc && !vpcs.isLoading && !onlyVpc}
        {...subnetChoices}
        // Also loading until it is known which VPC is preselected.
        loading={subnetChoices.loading || (!vpc && (vpcs.isLoading || onlyVpc !== ''))}
      />
      <RadioField name="type" label="IP configuration" control={control} items={stackTypes} />
      {stackVersions(type).map((version) => (
        <TextField
          key={version}
          name={version}
          label={version === 'v4' ? 'IPv4 address' : 'IPv6 address'}
          placeholder="Leave blank for auto-assignment"
          control={control}
        />
      ))}
      {plan && <Plan control={control} plan={plan} />}
    </SideModalForm>
  )
}
