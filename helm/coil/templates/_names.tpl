{{/* Labels that select the pods of a program: (list $ "coil-agent") */}}
{{- define "coil.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: coil
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* All labels of what belongs to a program. */}}
{{- define "coil.labels" -}}
{{- $root := index . 0 -}}
{{ include "coil.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "coil.image" -}}
{{- $root := index . 0 -}}
{{- with $root.Values.image.registry }}{{ trimSuffix "/" . }}/{{ end }}{{ index . 1 }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}
{{- end }}

{{/*
Environment of a program: options of its Java machine, and its settings as one JSON text:
(list $ .Values.agent $builtIn), what the user sets wins.
*/}}
{{- define "coil.environment" -}}
{{- $program := index . 1 -}}
- name: JAVA_TOOL_OPTIONS
  value: {{ $program.javaOptions | quote }}
- name: SPRING_APPLICATION_JSON
  value: {{ merge (deepCopy $program.settings) (index . 2) | toJson | quote }}
{{- end }}

{{/* What a container without any right looks like. */}}
{{- define "coil.unprivileged" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 10000
runAsGroup: 10000
capabilities:
  drop:
    - ALL
seccompProfile:
  type: RuntimeDefault
{{- end }}
