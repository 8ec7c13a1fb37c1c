import { identity, identityCreate, identityUpdate, record } from '../../schema.ts'

export const Project = record('Project', identity)
export const ProjectCreate = record('ProjectCreate', identityCreate)
export const ProjectUpdate = record('ProjectUpdate', identityUpdate)
