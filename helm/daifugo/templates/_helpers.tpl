{{/* Names leave room for what is appended to them: the name of a StatefulSet has at most 52 characters. */}}
{{- define "daifugo.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "daifugo.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "daifugo.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The processes of this release, as a JSON list. Each has its part of the values under the same name. */}}
{{- define "daifugo.components" -}}
{{- $found := list "game" -}}
{{- range $each := list "matchmaker" "identity" -}}
{{- if (get $.Values $each).enabled -}}{{- $found = append $found $each -}}{{- end -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{/* Below: a dict of `root` (the top context) and `component` ("game", "matchmaker" or "identity"). */}}
{{- define "daifugo.componentName" -}}
{{- printf "%s-%s" (include "daifugo.fullname" .root) .component -}}
{{- end -}}

{{- define "daifugo.selectorLabels" -}}
app.kubernetes.io/name: {{ include "daifugo.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{- define "daifugo.labels" -}}
{{ include "daifugo.selectorLabels" . }}
{{ include "daifugo.commonLabels" .root }}
{{- end -}}

{{- define "daifugo.commonLabels" -}}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: daifugo
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "daifugo.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "daifugo.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "daifugo.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (default $.Chart.AppVersion .tag) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A setting as the service reads it. Large whole numbers would come out as 1e+06. */}}
{{- define "daifugo.setting" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}
{{- printf "%d" (int64 .) -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}

{{/* The settings of a component as environment variables. */}}
{{- define "daifugo.environment" -}}
{{- $own := get .root.Values .component -}}
{{- $config := $own.config -}}
{{- if and .root.Values.identity.enabled (not $config.issuer) -}}
{{- $config = mergeOverwrite (deepCopy $config) (dict "issuer" (include "daifugo.issuer" .root)) -}}
{{- end -}}
{{- if eq .component "matchmaker" -}}
{{- $config = mergeOverwrite (deepCopy $config) (include "daifugo.matchmakerDefaults" . | fromJson) -}}
{{- else if eq .component "identity" -}}
{{- if and .root.Values.identity.existingClaim (eq $config.store "memory") -}}
{{- $config = mergeOverwrite (deepCopy $config) (dict "store" "/var/lib/daifugo/identity.sqlite") -}}
{{- end -}}
{{- else if not $config.store -}}
{{- $store := ternary "/var/lib/daifugo/game.sqlite" "memory" (eq (get .root.Values .component).storage "sqlite") -}}
{{- $config = mergeOverwrite (deepCopy $config) (dict "store" $store) -}}
{{- end -}}
{{- if and $own.storeKeysSecret (not $config.store_keys) -}}
{{- $config = mergeOverwrite (deepCopy $config) (dict "store_keys" "/etc/daifugo-keys/store_keys") -}}
{{- end -}}
{{- range $name, $value := $config }}
DAIFUGO_{{ upper $name }}: {{ include "daifugo.setting" $value | quote }}
{{- end }}
{{- end -}}

{{/* Whose tokens the services of this release take: the identity service, at the port where its keys are. */}}
{{- define "daifugo.issuer" -}}
{{- $own := .Values.identity.config -}}
{{- $name := include "daifugo.componentName" (dict "root" . "component" "identity") -}}
{{- default (printf "http://%s-nodes:%d" $name (int $own.admin_port)) $own.issuer -}}
{{- end -}}

{{/* Settings of the matchmaker that follow from the rest of the release, where they are left empty. */}}
{{- define "daifugo.matchmakerDefaults" -}}
{{- $own := .root.Values.matchmaker -}}
{{- $game := include "daifugo.componentName" (dict "root" .root "component" "game") -}}
{{- $found := dict -}}
{{- if not $own.config.game_address -}}
{{- $_ := set $found "game_address" (printf "%s:%d" $game (int .root.Values.game.service.port)) -}}
{{- end -}}
{{- if and $own.gameKeySecret .root.Values.identity.enabled (not $own.config.identity_address) -}}
{{- $identity := include "daifugo.componentName" (dict "root" .root "component" "identity") -}}
{{- $_ := set $found "identity_address" (printf "%s:%d" $identity (int .root.Values.identity.service.port)) -}}
{{- end -}}
{{- if and $own.queues (not $own.config.queues) -}}
{{- $_ := set $found "queues" "/etc/daifugo/queues.toml" -}}
{{- end -}}
{{- if and $own.existingClaim (eq $own.config.store "memory") -}}
{{- $_ := set $found "store" "/var/lib/daifugo/matchmaker.sqlite" -}}
{{- end -}}
{{- toJson $found -}}
{{- end -}}

{{/* Whether a component's pods have a volume for their store. */}}
{{- define "daifugo.hasVolume" -}}
{{- $own := get .root.Values .component -}}
{{- if or $own.existingClaim (eq (toString $own.storage) "sqlite") -}}yes{{- end -}}
{{- end -}}

{{/* The longest a clean stop takes: the pause, the calls under way, what is still to be written, and time to spare. */}}
{{- define "daifugo.terminationGracePeriodSeconds" -}}
{{- $own := get .root.Values .component -}}
{{- add $own.preStopSeconds (mulf 2 $own.config.grace_seconds | ceil) 10 -}}
{{- end -}}
