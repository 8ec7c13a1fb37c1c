import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  Boxes,
  Camera,
  Disc3,
  EthernetPort,
  Folder,
  Group,
  HardDrive,
  KeyRound,
  Server,
  User,
} from 'lucide-react'
import { useCurrentUser } from '../data/session.ts'
import { Frame } from './frame.tsx'
import type { NavItem } from './sidebar-content.tsx'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

const projectsItem: NavItem = {
  label: 'Projects',
  path: '/projects',
  icon: <Folder {...icon} />,
}

const siloItems: NavItem[] = [
  projectsItem,
  { label: 'Images', path: '/images', icon: <Disc3 {...icon} /> },
]

export function SiloFrame() {
  const { siloName } = useCurrentUser()
  return <Frame top={[]} heading={siloName} items={siloItems} group={`Silo '${siloName}'`} />
}

/** The pages of a project, in the order of the sidebar. A new resource adds a line. */
const projectItems = (base: string): NavItem[] => [
  { label: 'Instances', path: `${base}/instances`, icon: <Server {...icon} /> },
  { label: 'Disks', path: `${base}/disks`, icon: <HardDrive {...icon} /> },
  { label: 'Snapshots', path: `${base}/snapshots`, icon: <Camera {...icon} /> },
  { label: 'Images', path: `${base}/images`, icon: <Disc3 {...icon} /> },
  { label: 'Floating IPs', path: `${base}/floating-ips`, icon: <EthernetPort {...icon} /> },
  { label: 'Affinity Groups', path: `${base}/affinity`, icon: <Group {...icon} /> },
]

const projectTop: NavItem[] = [{ ...projectsItem, icon: <Boxes {...icon} />, exact: true }]

export function ProjectFrame() {
  const { project } = useParams({ strict: false }) as { project: string }
  const items = useMemo(() => projectItems(`/projects/${project}`), [project])
  return <Frame top={projectTop} heading={project} items={items} group={`Project '${project}'`} />
}

const settingsTop: NavItem[] = [projectsItem]
const settingsItems: NavItem[] = [
  { label: 'Profile', path: '/settings/profile', icon: <User {...icon} /> },
  { label: 'SSH Keys', path: '/settings/ssh-keys', icon: <KeyRound {...icon} /> },
]

export function SettingsFrame() {
  return <Frame top={settingsTop} heading="User" items={settingsItems} group="Settings" />
}
