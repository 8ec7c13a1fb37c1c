/** Projects, SSH keys, disks, snapshots and images. */
import { type Writers, deletion, diskResource } from './shared.ts'

export const projects: Writers = {
  projectCreate: ({ body }, to) => to.resource('oxide_project', body.name, { ...body }),
  projectUpdate: ({ path, body }, to) =>
    to.change('oxide_project', to.nameOf('project', path.project), { ...body }),
  projectDelete: ({ path }, to) => deletion(to, 'oxide_project', 'project', path.project),
  currentUserSshKeyCreate: ({ body: { name, description, publicKey } }, to) =>
    to.resource('oxide_ssh_key', name, { name, description, public_key: publicKey }),
  currentUserSshKeyDelete: ({ path }, to) => deletion(to, 'oxide_ssh_key', 'sshKey', path.sshKey),
  diskCreate: ({ query, body }, to) => diskResource(to, query.project, body),
  diskDelete: ({ path }, to) => deletion(to, 'oxide_disk', 'disk', path.disk),
  snapshotCreate: ({ query, body: { name, description, disk } }, to) =>
    to.resource('oxide_snapshot', name, {
      project_id: to.idOf('project', query.project),
      name,
      description,
      disk_id: to.idOf('disk', disk, query.project),
    }),
  snapshotDelete: ({ path }, to) => deletion(to, 'oxide_snapshot', 'snapshot', path.snapshot),
  imageCreate: ({ query, body: { name, description, os, version, source } }, to) =>
    to.resource('oxide_image', name, {
      project_id: query?.project ? to.idOf('project', query.project) : null,
      name,
      description,
      os,
      version,
      source_snapshot_id: source.type === 'snapshot' ? to.idOf('snapshot', source.id) : null,
    }),
  imageDelete: ({ path }, to) => deletion(to, 'oxide_image', 'image', path.image),
}
