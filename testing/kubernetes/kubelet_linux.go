package main

import (
	"context"

	"k8s.io/component-base/cli"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

// There is no kubelet for macOS, where the rest can be built too.
func init() {
	programs["kubelet"] = func() int {
		return cli.Run(kubelet.NewKubeletCommand(context.Background()))
	}
}
