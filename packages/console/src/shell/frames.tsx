import { type ErrorComponentProps, useParams } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import {
  BellPlus,
  BellRing,
  Boxes,
  Building2,
  Cable,
  Camera,
  ChartSpline,
  Disc3,
  EthernetPort,
  FileBadge,
  Folder,
  Gauge,
  Globe,
  Group,
  HardDrive,
  LayoutDashboard,
  KeyRound,
  LifeBuoy,
  Map,
  MonitorSmartphone,
  Network,
  Radio,
  RadioTower,
  RectangleEllipsis,
  RefreshCw,
  Route,
  ScrollText,
  Server,
  ShieldCheck,
  TriangleAlert,
  User,
  Users,
  Grid3x3,
} from 'lucide-react'
import { usePrefetchedQuery } from '../data/api.ts'
import { useCapability, useMulticast } from '../data/capabilities.ts'
import { useCurrentUser, useFleetViewer } from '../data/session.ts'
import { issuesQuery } from '../observability/issues/open-issues.ts'
import { projectQuery } from '../page/parent-routes.ts'
import { NotFoundPage } from './error-page.tsx'
import { Frame } from './frame.tsx'
import { PageError } from './page-error.tsx'
import type { NavItem } from './sidebar-content.tsx'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

const projectsItem: NavItem = {
  label: 'Projects',
  path: '/projects',
  shortcut: 'goProjects',
  icon: <Folder {...icon} />,
}

const accessItem = (label: string, path: string): NavItem => ({
  label,
  path,
  icon: <ShieldCheck {...icon} />,
})
const utilizationItem = (path: string): NavItem => ({
  label: 'Utilization',
  path,
  icon: <Gauge {...icon} />,
  shortcut: 'goUtilization',
})
const metricsItem = (path: string): NavItem => ({
  label: 'Metrics',
  path,
  icon: <ChartSpline {...icon} />,
  shortcut: 'goMetrics',
})
const dashboardsItem = (path: string): NavItem => ({
  label: 'Dashboards',
  path,
  icon: <LayoutDashboard {...icon} />,
  shortcut: 'goDashboards',
  needs: 'dashboards',
})
const multicastItem: NavItem = {
  label: 'Multicast Groups',
  path: '/multicast-groups',
  icon: <RadioTower {...icon} />,
  shortcut: 'goMulticastGroups',
}
const siloItems: NavItem[] = [
  projectsItem,
  { label: 'Images', path: '/images', icon: <Disc3 {...icon} />, shortcut: 'goImages' },
  multicastItem,
  utilizationItem('/utilization'),
  accessItem('Silo Access', '/access'),
]

const auditLogItem = (path: string): NavItem => ({
  label: 'Audit Log',
  path,
  needs: 'auditLog',
  icon: <ScrollText {...icon} />,
})
const certificatesItem: NavItem = {
  label: 'Certificates',
  path: '/certificates',
  icon: <FileBadge {...icon} />,
}
const usersItem: NavItem = {
  label: 'Users & Groups',
  path: '/users',
  needs: 'users',
  icon: <Users {...icon} />,
}
const siloAuditLogItem = auditLogItem('/audit-log')
const systemItems: NavItem[] = [
  { label: 'Silos', path: '/system/silos', icon: <Building2 {...icon} />, shortcut: 'goSilos' },
  utilizationItem('/system/utilization'),
  metricsItem('/system/metrics'),
  dashboardsItem('/system/dashboards'),
  { label: 'Inventory', path: '/system/inventory', icon: <Server {...icon} /> },
  {
    label: 'IP Pools',
    path: '/system/networking/ip-pools',
    icon: <Grid3x3 {...icon} />,
    shortcut: 'goIpPools',
  },
  {
    label: 'Subnet Pools',
    path: '/system/networking/subnet-pools',
    icon: <Boxes {...icon} />,
  },
  {
    label: 'External Connectivity',
    path: '/system/networking/connectivity',
    also: [
      'switch-ports',
      'port-settings',
      'address-lots',
      'loopback-addresses',
      'bgp',
      'announce-sets',
      'bgp-peers',
      'bfd',
      'settings',
    ].map((place) => `/system/networking/${place}`),
    icon: <Cable {...icon} />,
  },
  {
    label: 'Alerts',
    path: '/system/alerts',
    also: ['/system/alert-receivers'],
    icon: <BellRing {...icon} />,
  },
  {
    label: 'Alert Rules',
    path: '/system/alert-rules',
    icon: <BellPlus {...icon} />,
    needs: 'alertRules',
  },
  { label: 'Support Bundles', path: '/system/support-bundles', icon: <LifeBuoy {...icon} /> },
  { label: 'System Update', path: '/system/update', icon: <RefreshCw {...icon} /> },
  accessItem('Fleet Access', '/system/access'),
  auditLogItem('/system/audit-log'),
]

export function SiloFrame({ children }: { children?: ReactNode }) {
  const { siloName, siloAdmin } = useCurrentUser()
  const fleetViewer = useFleetViewer()
  const multicast = useMulticast()
  const audits = siloAdmin || fleetViewer
  const items = useMemo(
    () => [
      ...siloItems.filter((item) => multicast || item !== multicastItem),
      ...(siloAdmin ? [usersItem, certificatesItem] : []),
      ...(audits ? [siloAuditLogItem] : []),
    ],
    [siloAdmin, audits, multicast],
  )
  return (
    <Frame top={[]} heading={siloName} items={items} group={`Silo '${siloName}'`}>
      {children}
    </Frame>
  )
}

const issuesItem: NavItem = {
  label: 'Issues',
  path: '/system/issues',
  icon: <TriangleAlert {...icon} />,
  shortcut: 'goIssues',
  needs: 'issues',
}

/** The frame of operators; others are told that there is no such page. */
export function SystemFrame() {
  const hasIssues = useCapability('issues')
  const enabled = useFleetViewer() && hasIssues
  const count = useQuery({ ...issuesQuery, enabled }).data?.items.length
  const items = useMemo(() => [{ ...issuesItem, count }, ...systemItems], [count])
  if (!useFleetViewer()) return <NotFoundPage />
  return <Frame level="system" top={[]} heading="System" items={items} group="System" />
}

/** A project that cannot be shown is an error among the pages of its silo. */
export const ProjectError = (props: ErrorComponentProps) => (
  <SiloFrame>
    <PageError {...props} />
  </SiloFrame>
)

/** What the sidebar calls a page; a path in the spelling of the router. */
export const sidebarLabel = (path: string): string | undefined =>
  [
    ...siloItems,
    certificatesItem,
    usersItem,
    siloAuditLogItem,
    issuesItem,
    ...systemItems,
    ...settingsItems,
    ...projectItems('/projects/$project'),
  ].find((item) => item.path === path)?.label

/** The pages of a project, in the order of the sidebar. A new resource adds a line. */
const projectItems = (base: string): NavItem[] => [
  {
    label: 'Instances',
    path: `${base}/instances`,
    icon: <Server {...icon} />,
    shortcut: 'goInstances',
  },
  { label: 'Disks', path: `${base}/disks`, icon: <HardDrive {...icon} />, shortcut: 'goDisks' },
  {
    label: 'Snapshots',
    path: `${base}/snapshots`,
    icon: <Camera {...icon} />,
    shortcut: 'goSnapshots',
  },
  { label: 'Images', path: `${base}/images`, icon: <Disc3 {...icon} />, shortcut: 'goImages' },
  { label: 'VPCs', path: `${base}/vpcs`, icon: <Network {...icon} />, shortcut: 'goVpcs' },
  {
    label: 'Floating IPs',
    path: `${base}/floating-ips`,
    icon: <EthernetPort {...icon} />,
    shortcut: 'goFloatingIps',
  },
  {
    label: 'Network Map',
    path: `${base}/network-map`,
    icon: <Map {...icon} />,
    needs: 'reachability',
  },
  {
    label: 'Reachability',
    path: `${base}/reachability`,
    icon: <Route {...icon} />,
    needs: 'reachability',
  },
  {
    label: 'External Subnets',
    path: `${base}/external-subnets`,
    icon: <Globe {...icon} />,
    shortcut: 'goExternalSubnets',
  },
  {
    label: 'Probes',
    path: `${base}/probes`,
    icon: <Radio {...icon} />,
    shortcut: 'goProbes',
  },
  {
    label: 'Alert Rules',
    path: `${base}/alert-rules`,
    icon: <BellPlus {...icon} />,
    needs: 'alertRules',
  },
  {
    label: 'Affinity Groups',
    path: `${base}/affinity`,
    icon: <Group {...icon} />,
    shortcut: 'goAffinity',
  },
  metricsItem(`${base}/metrics`),
  dashboardsItem(`${base}/dashboards`),
  accessItem('Project Access', `${base}/access`),
]

const projectTop: NavItem[] = [{ ...projectsItem, exact: true }]

export function ProjectFrame() {
  const { project } = useParams({ strict: false }) as { project: string }
  // Followed, so that the pages of a project that is deleted do not look as if it were there.
  usePrefetchedQuery(projectQuery(project))
  const items = useMemo(() => projectItems(`/projects/${project}`), [project])
  return <Frame top={projectTop} heading={project} items={items} group={`Project '${project}'`} />
}

const settingsTop: NavItem[] = [projectsItem]
const settingsItems: NavItem[] = [
  { label: 'Profile', path: '/settings/profile', icon: <User {...icon} />, shortcut: 'goProfile' },
  {
    label: 'SSH Keys',
    path: '/settings/ssh-keys',
    icon: <KeyRound {...icon} />,
    shortcut: 'goSshKeys',
  },
  {
    label: 'Access Tokens',
    path: '/settings/access-tokens',
    icon: <RectangleEllipsis {...icon} />,
    shortcut: 'goAccessTokens',
  },
  {
    label: 'Sessions',
    path: '/settings/sessions',
    icon: <MonitorSmartphone {...icon} />,
    shortcut: 'goSessions',
    needs: 'sessions',
  },
]

export const SettingsFrame = () => (
  <Frame top={settingsTop} heading="User" items={settingsItems} group="Settings" />
)
