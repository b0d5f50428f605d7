import type { AdmissionCounts } from '../../guard/admit/admission.ts'
import type { StoreMeasure } from './measure-store.ts'
import type { ConnectionCounts, NodeState } from '../../postgres/database.ts'
import type { Metrics } from '../../observe/metrics.ts'

export function showConnections(metrics: Metrics, { open, idle, waiting }: ConnectionCounts): void {
  metrics.poolConnections.set({ state: 'used' }, open - idle)
  metrics.poolConnections.set({ state: 'idle' }, idle)
  metrics.poolWaiting.set(waiting)
}

export function showNodes(metrics: Metrics, nodes: readonly NodeState[]): void {
  for (const { address: node, isReachable, connections } of nodes) {
    metrics.nodeUp.set({ node }, isReachable ? 1 : 0)
    metrics.nodeConnections.set({ node, state: 'used' }, connections.open - connections.idle)
    metrics.nodeConnections.set({ node, state: 'idle' }, connections.idle)
  }
}

export function showAdmission(metrics: Metrics, { working, waiting, bytes }: AdmissionCounts): void {
  metrics.requestsUnderWay.set({ state: 'working' }, working)
  metrics.requestsUnderWay.set({ state: 'waiting' }, waiting)
  metrics.pageRoomBytes.set(bytes)
}

/** If the database no longer answers, its old figures are removed: they would look like new ones. */
export function showStore(metrics: Metrics, measure: StoreMeasure): void {
  metrics.databaseUp.set(measure.kind === 'measured' ? 1 : 0)
  for (const gauge of [
    metrics.liveObjects,
    metrics.floorLagVersions,
    metrics.snapshotAgeSeconds,
    metrics.historyRows,
    metrics.historyBytes,
    metrics.changesRows,
    metrics.changesBytes,
    metrics.changesAgeSeconds,
    metrics.currentBytes,
    metrics.replicaLagSeconds,
  ]) {
    gauge.reset()
  }
  if (measure.kind === 'failed') return
  metrics.ontologies.set(measure.ontologies)
  for (const type of measure.types) {
    const labels = { ontology: type.ontology, object_type: type.objectType }
    metrics.liveObjects.set(labels, type.live)
    metrics.floorLagVersions.set(labels, type.floorLagVersions)
    metrics.snapshotAgeSeconds.set(labels, type.snapshotAgeSeconds)
    metrics.historyRows.set(labels, type.historyRows)
    metrics.historyBytes.set(labels, type.historyBytes)
    metrics.changesRows.set(labels, type.changesRows)
    metrics.changesBytes.set(labels, type.changesBytes)
    metrics.changesAgeSeconds.set(labels, type.changesAgeSeconds)
    metrics.currentBytes.set(labels, type.currentBytes)
  }
  for (const { name, lagSeconds } of measure.replicas) {
    metrics.replicaLagSeconds.set({ replica: name }, lagSeconds)
  }
}
