{{/* What the pods of a StatefulSet and of a Deployment have in common; takes `root` and `component`. */}}
{{- define "daifugo.podTemplate" -}}
{{- $own := get .root.Values .component -}}
{{- $values := .root.Values -}}
{{- if eq (int $own.config.port) (int $own.config.admin_port) -}}
{{- fail (printf "%s.config.port and %s.config.admin_port are the same" .component .component) -}}
{{- end -}}
metadata:
  # No versions among them: a new chart that changes nothing for the pods must not replace them.
  labels:
    {{- with $own.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    {{- include "daifugo.selectorLabels" . | nindent 4 }}
  annotations:
    {{- with $own.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
    # Settings are read at start only: a change of them replaces the pods.
    checksum/config: {{ printf "%s%s" (include "daifugo.environment" .) ($own.queues | default "") | sha256sum }}
spec:
  serviceAccountName: {{ include "daifugo.serviceAccountName" .root }}
  automountServiceAccountToken: false
  # Kubernetes would set DAIFUGO_PORT=tcp://... for a Service called daifugo.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ include "daifugo.terminationGracePeriodSeconds" . }}
  securityContext:
    runAsNonRoot: true
    {{- with $values.securityContext.runAsUser }}
    runAsUser: {{ int64 . }}
    {{- end }}
    {{- with $values.securityContext.runAsGroup }}
    runAsGroup: {{ int64 . }}
    {{- end }}
    {{- if and (include "daifugo.hasVolume" .) $values.securityContext.runAsGroup }}
    # So that the file on the volume can be written.
    fsGroup: {{ int64 $values.securityContext.runAsGroup }}
    {{- end }}
    seccompProfile:
      type: RuntimeDefault
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "daifugo.image" .root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      command: ["python", "-m", "services.{{ .component }}"]
      envFrom:
        - configMapRef:
            name: {{ include "daifugo.componentName" . }}
      {{- if or $own.gameTokenSecret $own.gameKeySecret }}
      env:
        {{- range $key, $secret := dict "game_token" $own.gameTokenSecret "game_key" $own.gameKeySecret }}
        {{- if $secret }}
        - name: DAIFUGO_{{ upper $key }}
          valueFrom:
            secretKeyRef:
              name: {{ $secret }}
              key: {{ $key }}
        {{- end }}
        {{- end }}
      {{- end }}
      ports:
        - name: grpc
          containerPort: {{ $own.config.port }}
        {{- if $own.config.admin_port }}
        - name: metrics
          containerPort: {{ $own.config.admin_port }}
        {{- end }}
      startupProbe:
        grpc:
          port: {{ $own.config.port }}
        {{- toYaml $own.probes.startup | nindent 8 }}
      readinessProbe:
        grpc:
          port: {{ $own.config.port }}
          service: daifugo.v1.{{ title .component }}Service
        {{- toYaml $own.probes.readiness | nindent 8 }}
      livenessProbe:
        grpc:
          port: {{ $own.config.port }}
        {{- toYaml $own.probes.liveness | nindent 8 }}
      {{- if $own.preStopSeconds }}
      lifecycle:
        preStop:
          sleep:
            seconds: {{ $own.preStopSeconds }}
      {{- end }}
      resources:
        {{- toYaml $own.resources | nindent 8 }}
      securityContext:
        runAsNonRoot: true
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities:
          drop: ["ALL"]
      volumeMounts:
        - name: tmp
          mountPath: /tmp
        {{- if $own.queues }}
        - name: queues
          mountPath: /etc/daifugo
          readOnly: true
        {{- end }}
        {{- if $own.storeKeysSecret }}
        - name: store-keys
          mountPath: /etc/daifugo-keys
          readOnly: true
        {{- end }}
        {{- if include "daifugo.hasVolume" . }}
        - name: store
          mountPath: /var/lib/daifugo
        {{- end }}
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: 16Mi
    {{- if $own.queues }}
    - name: queues
      configMap:
        name: {{ include "daifugo.componentName" . }}-queues
    {{- end }}
    {{- with $own.storeKeysSecret }}
    - name: store-keys
      secret:
        secretName: {{ . }}
        defaultMode: 0440
        items:
          - key: store_keys
            path: store_keys
    {{- end }}
    {{- with $own.existingClaim }}
    - name: store
      persistentVolumeClaim:
        claimName: {{ . }}
    {{- end }}
  {{- with $own.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $own.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
